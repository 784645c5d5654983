import TodoKit

/// The sign that a word may begin with, such as the `@` of `@home` or the `due:` of `due:fri`.
///
/// `all` is the one list of signs: `add` and `edit` set fields by them, lists narrow by them, the
/// tokenizer reads a quoted text after them, and the line editor completes and colours them.
struct LineSign: Hashable, Sendable {
  /// The spellings: the English one, then Korean ones.
  let spellings: [String]

  init(_ spellings: String...) { self.spellings = spellings }

  static let priority = LineSign("!")
  static let group = LineSign("@")
  static let tag = LineSign("#")
  static let before = LineSign("before:", "이전:")
  static let after = LineSign("after:", "이후:")
  static let completed = LineSign("done:", "완료:")
  static let since = LineSign("since:", "부터:")
  static let state = LineSign("is:", "상태:")

  /// The signs that `add` reads, each of which sets a field of the new item.
  static let ofFields = [priority, group, tag] + ItemField.all.map(\.sign)
  /// The signs of words that filter a list, and of nothing else.
  private static let ofTermsAlone = [before, after, completed, since, state]
  /// The signs of the words that filter a list.
  static let ofTerms =
    [priority, group, tag] + ItemField.all.filter { $0.condition != nil }.map(\.sign)
    + ofTermsAlone
  static let all = ofFields + ofTermsAlone

  /// The spellings after which a quote opens.
  static let quotableSpellings = all.filter { $0 != priority && $0 != state }
    .flatMap(\.spellings)
}

/// A word that begins with a sign and has a text after it.
struct SignedWord {
  let sign: LineSign
  /// The sign as it was typed.
  let spelling: String
  /// The text after the sign; that of `매주:토` is `매주 토`.
  let text: String

  /// Reads a word; nil without one of the signs, and for a sign alone.
  init?(_ word: String, among signs: [LineSign] = LineSign.all) {
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

/// What follows a word with a sign on its line.
struct SignFollowers: Equatable {
  /// The most words that a text has after its first one, as in `내일 오후 3시 30분`.
  static let wordsMax = 3

  /// The word with the sign, as it was typed.
  let typed: String
  let words: ArraySlice<String>
}

extension String {
  /// The text after a prefix; nil without the prefix, or if nothing follows it.
  func after(_ prefix: String) -> String? {
    guard hasPrefix(prefix) else { return nil }
    let rest = dropFirst(prefix.count)
    return rest.isEmpty ? nil : String(rest)
  }
}
