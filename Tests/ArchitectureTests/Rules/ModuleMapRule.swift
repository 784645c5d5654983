/// The README's map of modules is complete.
struct ModuleMapRule: Rule {
  func findings(in project: Project) -> [Finding] {
    let rows = (project.file("README.md")?.lines ?? []).filter { $0.hasPrefix("|") }
    let folders = project.paths.filter {
      $0.hasPrefix("Sources/") && $0.split(separator: "/").count == 2
    }
    return folders.sorted().compactMap { folder in
      let module = folder.dropFirst("Sources/".count)
      if rows.contains(where: { $0.contains("`\(module)`") }) { return nil }
      return Finding(
        path: folder, line: 0, remedy: "give \(module) a row in the README's table of modules")
    }
  }
}
