/// Comments, strings and pages are plain English: no house words, and no sentences turned around.
///
/// Each pattern has what to write instead. The patterns are matched within one paragraph, so
/// that a sentence may go over several lines.
struct ProseRule: Rule {
  /// The parts of the tree that are held to the rule.
  private static let trees = [
    "README.md", "Benchmarks/", "Sources/", "Tests/", "Web/", "Postgres/", "Tool/",
  ]

  func findings(in project: Project) -> [Finding] {
    project.files.filter { file in
      (file.path.hasSuffix(".swift") || file.path.hasSuffix(".md"))
        && ProseRule.trees.contains { file.path.hasPrefix($0) }
        // This folder spells the words that it looks for.
        && !file.path.hasPrefix("Tests/ArchitectureTests/")
    }.flatMap { file in
      Prose(of: file).paragraphs.flatMap(ProsePattern.matches(in:)).map { match in
        Finding(
          path: file.path, line: match.line,
          remedy: "write \(match.instead), not '\(match.text)'")
      }
    }
  }
}
