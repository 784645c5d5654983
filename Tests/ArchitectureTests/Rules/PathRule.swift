import Foundation

/// What the README and the articles point at is there.
struct PathRule: Rule {
  private static let tops = [
    "Sources/", "Tests/", "Scripts/", "Benchmarks/", "Web/", "Postgres/", "Tool/", ".ci/",
  ]

  func findings(in project: Project) -> [Finding] {
    project.prose.flatMap { page in
      page.lines.enumerated().flatMap { index, line in
        (missingPaths(in: line, of: page, project) + missingLinks(in: line, of: page, project)
          + missingArticles(in: line, of: page, project))
          .map { Finding(path: page.path, line: index + 1, remedy: "there is no \($0): mend it") }
      }
    }
  }

  /// Paths from the top of the project, or of the package that the page is in.
  private func missingPaths(
    in line: String, of page: SourceFile, _ project: Project
  ) -> [String] {
    let top = page.components.first ?? ""
    let package = ["Benchmarks", "Web", "Postgres", "Tool"].contains(top) ? top + "/" : ""
    return PathText.tokens(of: line).map(String.init).filter { token in
      PathRule.tops.contains(where: token.hasPrefix) && !project.paths.contains(token)
        && !project.paths.contains(package + token)
    }
  }

  /// Targets of Markdown links, seen from the page's folder.
  private func missingLinks(
    in line: String, of page: SourceFile, _ project: Project
  ) -> [String] {
    line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { target in
      if target.hasPrefix("#") || target.contains(":") { return false }
      let path = target.prefix { $0 != "#" }
      return !project.paths.contains(PathText.resolve(String(path), from: page))
    }
  }

  /// Articles named by `<doc:Name>`, which lie in the same catalogue.
  private func missingArticles(
    in line: String, of page: SourceFile, _ project: Project
  ) -> [String] {
    let catalogue = page.components.prefix { !$0.hasSuffix(".docc") }.joined(separator: "/")
    return line.matches(of: /<doc:([^>\/#]+)>/).map { "\($0.1).md" }.filter { article in
      !project.prose.contains { $0.path.hasPrefix(catalogue) && $0.components.last == article }
    }
  }
}

/// Finding paths in running text.
enum PathText {
  /// The runs of characters that paths are made of, without the punctuation of the sentence.
  static func tokens(of line: String) -> [Substring] {
    line.split { !($0.isLetter || $0.isNumber || "_./+-".contains($0)) }.map { token in
      var token = token
      while let last = token.last, "./".contains(last) { token = token.dropLast() }
      return token
    }
  }

  /// A path seen from the folder of a file, as one from the top of the project.
  static func resolve(_ path: String, from file: SourceFile) -> String {
    var components = Array(file.components.dropLast())
    for step in path.split(separator: "/").map(String.init) where step != "." {
      if step == "..", !components.isEmpty, components.last != ".." {
        components.removeLast()
      } else {
        components.append(step)
      }
    }
    return components.joined(separator: "/")
  }
}
