public import Croft
public import Presentation

/// How urgent an item is; `none` means not chosen yet, which differs from low.
///
/// The numbers are stored, so cases may be added but not renumbered.
public enum Priority: Int, StoredEnum, CaseIterable, Codable, Hashable, Sendable {
  /// Not chosen.
  case none
  /// Can wait.
  case low
  /// As usual.
  case normal
  /// First of all.
  case high
}

extension Priority: Comparable {
  /// Orders from `none` to `high`.
  public static func < (lhs: Priority, rhs: Priority) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

extension Priority {
  /// The words for a priority; the first of each language is the one that is written.
  private var words: [Language: [String]] {
    switch self {
    case .none: [.english: ["none"], .korean: ["없음"]]
    case .low: [.english: ["low", "l"], .korean: ["낮음"]]
    case .normal: [.english: ["normal", "n"], .korean: ["보통"]]
    case .high: [.english: ["high", "h"], .korean: ["높음"]]
    }
  }

  /// The word for the priority in a language; English if the language has no word.
  ///
  /// Machine-readable output has the English words.
  public func word(in language: Language) -> String {
    (words[language] ?? words[.english])?.first ?? "\(self)"
  }

  /// Reads a word of any language, such as `high`, `H` or `높음`; nil for an unknown one.
  ///
  /// Case and white space around it do not matter, and neither does the normal
  /// form in which Hangul was typed.
  public init?(word: String) {
    let word = word.trimmed.lowercased()
    let match = Priority.allCases.first { priority in
      priority.words.values.contains { $0.contains(word) }
    }
    guard let match else { return nil }
    self = match
  }
}

extension ValidationIssue {
  /// The issue of words that name no value of a field.
  package static func unknownWord(_ word: String, at path: FieldPath) -> ValidationIssue {
    ValidationIssue(.invalidFormat, at: path, params: ["word": .text(word)])
  }
}
