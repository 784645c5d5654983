/// A file with unsafe expressions says why they are safe.
///
/// The compiler sees to it that each of them is marked; what keeps its promise is for people.
struct SafetyRule: Rule {
  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources").compactMap { file in
      let isExplained = file.lines.contains { $0.contains("// Safety:") }
      guard !isExplained, let first = file.words.first(where: isExpression) else { return nil }
      return Finding(
        path: file.path, line: first.line,
        remedy: "write above it, as `// Safety:`, what makes the expression safe")
    }
  }

  /// Not `@unsafe`, `nonisolated(unsafe)` or a name such as `.unsafe`.
  private func isExpression(_ word: SourceFile.Word) -> Bool {
    word.text == "unsafe" && word.after == " "
      && (word.before == nil || word.before == " " || word.before == "(")
  }
}
