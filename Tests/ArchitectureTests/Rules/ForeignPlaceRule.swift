import Foundation

/// A clone is complete in itself: nothing in it needs what is on one machine or in one tracker.
struct ForeignPlaceRule: Rule {
  /// Folders that are the same on every machine.
  private static let sharedFolders: Set<Substring> = [
    "bin", "dev", "etc", "lib", "proc", "sys", "tmp", "usr", "var",
  ]

  func findings(in project: Project) -> [Finding] {
    let pages = Set(project.paths.compactMap { $0.split(separator: "/").last })
    // This folder spells what it looks for.
    return project.files.filter { !$0.path.hasPrefix("Tests/ArchitectureTests/") }.flatMap { file in
      file.lines.enumerated().compactMap { index, line in
        let remedy =
          machinePath(in: text(of: file, line: index + 1)) ?? missingPage(in: line, pages)
          ?? (file.components.first == "Web" ? nil : ticket(in: line))
        return remedy.map { Finding(path: file.path, line: index + 1, remedy: $0) }
      }
    }
  }

  /// What a line says to readers: a string of a program may hold any path.
  private func text(of file: SourceFile, line: Int) -> String {
    // A page names paths of its own server, and colours.
    if file.components.first == "Web" { return "" }
    return file.code.isEmpty
      ? file.lines[line - 1] : file.comment(atLine: line).map(String.init) ?? ""
  }

  private func machinePath(in line: String) -> String? {
    guard line.contains("/") else { return nil }
    for match in line.matches(of: /(?:^|[\s"'`(=])\/([a-z][\w.-]*)(?:[\/\s"'`),]|$)/)
    where !ForeignPlaceRule.sharedFolders.contains(match.1) {
      return "/\(match.1) is a place on one machine: take a folder that is given"
    }
    return nil
  }

  private func missingPage(in line: String, _ pages: Set<Substring>) -> String? {
    guard line.contains(".md") else { return nil }
    for match in line.matches(of: /(?:^|[^A-Za-z])([A-Z][A-Z_-]+\.md)/)
    where !pages.contains(match.1) {
      return "there is no page \(match.1) in the project: say here what it says"
    }
    return nil
  }

  private func ticket(in line: String) -> String? {
    guard line.contains("#") || line.localizedStandardContains("issue"),
      line.firstMatch(of: /(?i)(?:^|[\s(])(?:issue |issue #|#)\d+(?:\W|$)/) != nil
    else { return nil }
    return "say what the number stands for: a reader has the clone, not the tracker"
  }
}
