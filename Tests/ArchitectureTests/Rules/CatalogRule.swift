/// Every module explains itself: it has a DocC catalogue with a page of its own name.
struct CatalogRule: Rule {
  func findings(in project: Project) -> [Finding] {
    project.modules.compactMap { module in
      let page = "Sources/\(module)/\(module).docc/\(module).md"
      if project.paths.contains(page) { return nil }
      // An executable that only calls a library has nothing of its own to explain, nor has a module
      // of one file that imports the platform's.
      let sources = project.paths.filter { $0.hasPrefix("Sources/\(module)/") }
      let bare = ["main.swift", "CroftLibc.swift", "CroftFoundation.swift"]
      if sources.allSatisfy({ path in bare.contains { path == "Sources/\(module)/\($0)" } }) {
        return nil
      }
      return Finding(
        path: page, line: 0,
        remedy: "write the module's page: what it is for, and its articles as topics")
    }
  }
}
