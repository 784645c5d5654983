/// What switches a check off says why, in a comment on the line or right beside it.
struct ReasonRule: Rule {
  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources", "Web/Sources", "Postgres/Sources", "Tool/Sources").flatMap {
      file in
      file.words.compactMap { word in
        guard let remedy = remedy(for: word), !hasComment(file, near: word.line) else { return nil }
        return Finding(path: file.path, line: word.line, remedy: remedy)
      }
    }
  }

  private func remedy(for word: SourceFile.Word) -> String? {
    switch (word.before, word.text, word.after) {
    case (_, "try", "?"): "say in a comment why losing this error is right, or let it through"
    case ("@", "unchecked", _): "say in a comment what protects the state: the lock, the owner"
    default: nil
    }
  }

  private func hasComment(_ file: SourceFile, near line: Int) -> Bool {
    // Two lines: an attribute or a brace may stand between.
    ((line - 2)...(line + 2)).contains { file.comment(atLine: $0) != nil }
  }
}
