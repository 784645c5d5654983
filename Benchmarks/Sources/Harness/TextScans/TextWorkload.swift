/// One thing that is measured on engines with titles: searches that read all of them.
package struct TextWorkload: Sendable {
  /// The name in reports and after `--only`.
  package let name: String
  /// Whether case and marks are ignored.
  package let isFolded: Bool
  /// Whether only engines that fold all letters take part.
  package let needsAllLetters: Bool
  private let vocabulary: Vocabulary

  private init(_ script: String, _ vocabulary: Vocabulary, isFolded: Bool, hasMarks: Bool = false) {
    name = "\(TextWorkload.group)-\(script)" + (isFolded ? "" : "-exact")
    self.isFolded = isFolded
    needsAllLetters = isFolded && hasMarks
    self.vocabulary = vocabulary
  }

  /// The titles of a store, half as many as objects are asked for.
  package func titles(_ size: Int) -> [String] { vocabulary.titles(max(1, size / 2)) }

  /// What is searched for, one after the other.
  package var searched: [String] { isFolded ? vocabulary.searchedFolded : vocabulary.searched }

  /// The word that stands for all of them.
  package static let group = "scan-text"

  /// Every workload, in the order of a report.
  package static let all: [TextWorkload] = [true, false].flatMap { isFolded in
    [
      TextWorkload("ascii", .ascii, isFolded: isFolded),
      TextWorkload("korean", .korean, isFolded: isFolded),
      TextWorkload("french", .french, isFolded: isFolded, hasMarks: true),
    ]
  }

  /// The workloads of a name, or all of them for the group's; nil when the word names nothing.
  package static func named(_ word: String) -> [TextWorkload]? {
    if word == group { return all }
    let found = all.filter { $0.name == word }
    return found.isEmpty ? nil : found
  }
}
