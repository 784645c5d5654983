import TodoKit

/// What a word says by the characters that it begins with, such as `@home` or `due:fri`.
///
/// This is the one list of signs: `add` and `edit` set fields by them, lists narrow by them, the
/// tokenizer reads a quoted text after them, and the line editor completes and colours them.
enum LineSign: CaseIterable {
  case priority, group, tag, due, repeats, wait, before, after, completed, since, state

  /// The signs that `add` reads, each of which sets a field of the new item.
  static let ofFields: [LineSign] = [.priority, .group, .tag, .due, .repeats, .wait]
  /// The signs of the words that narrow a list.
  static let ofTerms: [LineSign] = [
    .priority, .group, .tag, .due, .before, .after, .completed, .since, .state,
  ]

  /// The spellings: the English one, then Korean ones.
  var spellings: [String] {
    switch self {
    case .priority: ["!"]
    case .group: ["@"]
    case .tag: ["#"]
    case .due: ["due:", "마감:", "기한:"]
    case .repeats: ["every:", "반복:", "매주:", "매월:", "매년:"]
    case .wait: ["wait:", "숨김:"]
    case .before: ["before:", "이전:"]
    case .after: ["after:", "이후:"]
    case .completed: ["done:", "완료:"]
    case .since: ["since:", "부터:"]
    case .state: ["is:", "상태:"]
    }
  }

  /// Whether the text after the sign may be in quotes.
  var takesQuotes: Bool { self != .priority && self != .state }

  /// The spellings after which a quote opens.
  static let quotableSpellings = allCases.filter(\.takesQuotes).flatMap(\.spellings)
}

/// A word that begins with a sign and has a text after it.
struct SignedWord {
  let sign: LineSign
  /// The sign as it was typed.
  let spelling: String
  /// The text after the sign; that of `매주:토` is `매주 토`.
  let text: String

  /// Reads a word; nil without one of the signs, and for a sign alone.
  init?(_ word: String, among signs: [LineSign] = LineSign.allCases) {
    for sign in signs {
      for spelling in sign.spellings {
        guard let rest = word.after(spelling) else { continue }
        self.sign = sign
        self.spelling = spelling
        let isPartOfRule = sign == .repeats && spelling.hasPrefix("매")
        text = isPartOfRule ? spelling.dropLast() + " " + rest : rest
        return
      }
    }
    return nil
  }
}
