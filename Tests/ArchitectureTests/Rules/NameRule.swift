/// Names tell what a thing is: no drawers, no spaces, no type that hides its module.
struct NameRule: Rule {
  private static let drawers = [
    "Utils", "Util", "Utilities", "Helpers", "Helper", "Manager", "Common", "Base", "Misc",
  ]
  private static let kinds: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  func findings(in project: Project) -> [Finding] {
    let badPaths = project.paths.sorted().compactMap(pathFinding)
    return badPaths
      + project.swiftFiles(in: "Sources", "Benchmarks", "Web", "Postgres", "Tool")
      .flatMap(typeFindings)
  }

  private func pathFinding(_ path: String) -> Finding? {
    guard let name = path.split(separator: "/").last else { return nil }
    if name.contains(" ") {
      return Finding(path: path, line: 0, remedy: "write the name without spaces")
    }
    return drawer(String(name.prefix { $0 != "." })).map {
      Finding(
        path: path, line: 0,
        remedy: "'\($0)' is a drawer, not a noun: name the file or folder for what is in it")
    }
  }

  private func typeFindings(in file: SourceFile) -> [Finding] {
    zip(file.words, file.words.dropFirst()).compactMap { kind, name in
      guard NameRule.kinds.contains(kind.text), kind.before != ".", name.before == " " else {
        return nil
      }
      if name.text == file.module {
        return Finding(
          path: file.path, line: name.line,
          remedy: "a type of its module's name breaks qualified look-up: name it otherwise")
      }
      return drawer(name.text).map {
        Finding(
          path: file.path, line: name.line,
          remedy: "'\($0)' says nothing: name the type for what it does, or extend a type")
      }
    }
  }

  private func drawer(_ name: String) -> String? {
    NameRule.drawers.first(where: name.hasSuffix)
  }
}
