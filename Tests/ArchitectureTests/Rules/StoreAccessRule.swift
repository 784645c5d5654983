/// In TodoKit only the repository knows that there is a store.
struct StoreAccessRule: Rule {
  private static let words: Set<String> = [
    "Store", "StoreError", "ReadTransaction", "WriteTransaction", "Query", "Column",
  ]

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources/TodoKit")
      .filter { !$0.path.hasPrefix("Sources/TodoKit/Repository/") }
      .flatMap { file in
        file.words.filter(isOfTheStore).map {
          Finding(
            path: file.path, line: $0.line,
            remedy: "'\($0.text)' speaks of the store: ask the repository, or move this into it")
        }
      }
  }

  private func isOfTheStore(_ word: SourceFile.Word) -> Bool {
    if word.text == "where" { return word.before == "." }
    return StoreAccessRule.words.contains(word.text)
  }
}
