/// One thing that is measured on engines with titles: searches that read all of them.
package struct TextWorkload: Sendable {
  /// The name in reports and after `--only`.
  package let name: String
  /// How titles are compared with what is searched for.
  package let comparison: Comparison
  /// Whether only engines that fold all letters take part.
  private let needsAllLetters: Bool
  private let vocabulary: Vocabulary

  /// How a title is compared with a text.
  package enum Comparison: String, Sendable, CaseIterable {
    /// It contains the text; case and marks are ignored.
    case folded
    /// It contains the text.
    case exact
    /// It has the words of the text, one after the other, as a search without an index finds them.
    case matches
  }

  private init(
    _ script: String, _ vocabulary: Vocabulary, _ comparison: Comparison, hasMarks: Bool = false
  ) {
    name =
      "\(TextWorkload.group)-\(script)"
      + (comparison == .folded ? "" : "-\(comparison.rawValue)")
    self.comparison = comparison
    needsAllLetters = comparison == .folded && hasMarks
    self.vocabulary = vocabulary
  }

  /// Whether an engine takes part.
  package func takes(_ engine: any TextEngine.Type) -> Bool {
    (engine.foldsAllLetters || !needsAllLetters) && (engine.findsWords || comparison != .matches)
  }

  /// The titles of a store, half as many as objects are asked for.
  package func titles(_ size: Int) -> [String] { vocabulary.titles(max(1, size / 2)) }

  /// What is searched for, one after the other.
  package var searched: [String] {
    comparison == .exact ? vocabulary.searched : vocabulary.searchedFolded
  }

  /// The word that stands for all of them.
  package static let group = "scan-text"

  /// Every workload, in the order of a report.
  package static let all: [TextWorkload] = Comparison.allCases.flatMap { comparison in
    [
      TextWorkload("ascii", .ascii, comparison),
      TextWorkload("korean", .korean, comparison),
      TextWorkload("french", .french, comparison, hasMarks: true),
    ]
  }

  /// The workloads of a name, or all of them for the group's; nil when the word names nothing.
  package static func named(_ word: String) -> [TextWorkload]? {
    if word == group { return all }
    let found = all.filter { $0.name == word }
    return found.isEmpty ? nil : found
  }
}
