/// The completion of the text before a cursor: what is inserted, or the candidates.
package struct Completion: Equatable {
  /// How many characters before the cursor are replaced by the insertion.
  package private(set) var replacedCount = 0
  /// The text to insert at the cursor; empty if no candidate is certain.
  package private(set) var insertion = ""
  /// The candidates if none is certain, harmless ones first.
  package private(set) var choices: [String] = []

  /// How many candidates are listed at most.
  package static let choicesMax = 50

  /// One of the texts that may replace a word.
  package struct Candidate: Equatable {
    /// The word as it would be typed.
    package let text: String
    /// What a list of candidates shows.
    package let label: String

    /// Makes a candidate.
    ///
    /// - Parameters:
    ///   - text: The word as it would be typed.
    ///   - label: What a list of candidates shows.
    package init(text: String, label: String) { (self.text, self.label) = (text, label) }
  }

  /// Completes nothing.
  package init() {}

  /// Completes a word by what all candidates begin with, or lists them.
  ///
  /// - Parameters:
  ///   - word: The word before the cursor.
  ///   - candidates: All that may replace it, each beginning with the word, perhaps in other
  ///     letters; the first ones are listed.
  ///   - ending: What follows a word that is complete.
  package init(_ word: String, by candidates: [Candidate], ending: (String) -> String) {
    guard let first = candidates.first else { return }
    let common = candidates.dropFirst().reduce(first.text) { common, candidate in
      String(zip(common, candidate.text).prefix { $0 == $1 }.map(\.0))
    }
    if candidates.count > 1, common.count <= word.count || !common.hasPrefix(word) {
      choices = candidates.prefix(Self.choicesMax).map(\.label)
      return
    }
    let inserted = candidates.count == 1 ? common + ending(common) : common
    if inserted.hasPrefix(word) {
      insertion = String(inserted.dropFirst(word.count))
    } else {
      replacedCount = word.count
      insertion = inserted
    }
  }
}
