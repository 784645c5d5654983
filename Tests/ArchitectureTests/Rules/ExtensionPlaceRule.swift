/// An extension of a type stands beside it: `X+Y.swift` in the folder of `X.swift`, or below.
///
/// That holds for types of the same module. A file of that name holds extensions of the type, of
/// types nested in it, or by which other types conform to it.
struct ExtensionPlaceRule: Rule {
  func findings(in project: Project) -> [Finding] {
    let files = project.swiftFiles(in: "Sources", "Web/Sources", "Postgres/Sources", "Tool/Sources")
    // By module and name, the folders of the files that declare the type.
    var homes: [String: [String: Set<String>]] = [:]
    for file in files {
      for type in TypeDeclaration.all(in: file)
      where type.keyword != "extension" && type.depth == 0 {
        homes[file.module ?? "", default: [:]][type.name, default: []].insert(folder(of: file))
      }
    }
    return files.compactMap { file -> Finding? in
      guard let plus = file.stem.firstIndex(of: "+") else { return nil }
      let type = String(file.stem[..<plus])
      guard let homes = homes[file.module ?? ""]?[type] else { return nil }
      return (misplaced(file, from: homes) ?? stranger(file, to: type)).map {
        Finding(path: file.path, line: 0, remedy: $0)
      }
    }
  }

  private func misplaced(_ file: SourceFile, from homes: Set<String>) -> String? {
    if homes.contains(where: folder(of: file).hasPrefix) { return nil }
    let home = homes.sorted().joined(separator: " or ")
    return "put it into \(home), where the type is declared, or name it for what it is about"
  }

  private func stranger(_ file: SourceFile, to type: String) -> String? {
    let isExtended = TypeDeclaration.all(in: file).contains { declaration in
      declaration.keyword == "extension"
        && declaration.head.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
          .contains { $0.hasPrefix(type) }
    }
    return isExtended
      ? nil : "there is no extension of \(type) in it: name the file for what is in it"
  }

  /// The folder of a file, with the slash at its end.
  private func folder(of file: SourceFile) -> String {
    file.components.dropLast().map { $0 + "/" }.joined()
  }
}
