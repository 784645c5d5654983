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
  /// The words after it.
  let words: ArraySlice<String>
}

extension LineSign {
  /// Reads the text of a field.
  ///
  /// - Parameter followers: What follows the text on its line.
  /// - Returns: The value; nil for a text such as `none`.
  /// - Throws: The error of `read`; for a single word with a hint to quote several words. An error
  ///   with this hint where the words that follow could be the rest of the text.
  func readField<Value>(
    _ text: String, before followers: SignFollowers?,
    by read: (String) throws -> Value?
  ) throws -> Value? {
    do {
      let value = try read(text)
      try refuseRest(of: text, in: followers, by: read)
      return value
    } catch {
      // The first word of `매주 토` belongs to the sign.
      let isPartOfRule = self == .repeats && text.hasPrefix("매")
      let typed = isPartOfRule ? text.drop { !$0.isWhitespace }.dropFirst() : text[...]
      throw typed.contains(where: \.isWhitespace)
        ? error : CommandError(error).hinting(quoteHint(asTerm: false))
    }
  }

  /// Refuses a text that is still one with the words that follow it: they were typed as its rest.
  private func refuseRest<Value>(
    of text: String, in followers: SignFollowers?,
    by read: (String) throws -> Value?
  ) throws {
    guard let followers else { return }
    for count in (0..<followers.words.count).reversed() {
      let rest = followers.words.prefix(count + 1).joined(separator: " ")
      // The error is ignored: words that make no text together are words of the title.
      guard (try? read(text + " " + rest)) != nil else { continue }
      throw CommandError(.restOfText(rest, after: followers.typed), .usage)
    }
  }

  /// Reads the text of a term that narrows a list.
  ///
  /// - Returns: What it says; nil for a text that means none.
  /// - Throws: The error of the reading; for the first word of a day, with a hint to quote several.
  func readTerm<Value>(_ text: String, by read: (String) throws -> Value?) throws -> Value? {
    do {
      return try read(text)
    } catch {
      let isBeginning = [" fri", " 금", "주 금"].contains { ending in
        // The error is ignored: nothing that comes after the text makes a day of it.
        (try? read(text + ending)) != nil
      }
      throw isBeginning ? CommandError(error).hinting(quoteHint(asTerm: true)) : error
    }
  }

  /// How a text of several words is written after the sign.
  private func quoteHint(asTerm: Bool) -> LocalizedText {
    if let hint = ItemField.field(of: self)?.quoteHint { return hint }
    let option = "--" + spellings[0].dropLast()
    let (english, korean) =
      asTerm ? ("", "") : (", \(option) \"in 3 days\"", ", \(option) \"3일 뒤\"")
    return LocalizedText(
      "A day of several words is put in quotes: \(spellings[0])\"next fri\"\(english)",
      "여러 낱말인 날짜는 따옴표로 묶으세요: \(spellings[1])\"다음주 금\"\(korean)")
  }
}

extension LocalizedText {
  fileprivate static func restOfText(_ rest: String, after typed: String) -> LocalizedText {
    let (rest, typed) = (rest.visible, typed.visible)
    return LocalizedText(
      "\"\(rest)\" may belong to \(typed). In a title, put it before \(typed) or after --.",
      "\"\(rest)\"도 \(typed)에 속할 수 있습니다. 제목이라면 \(typed) 앞이나 -- 뒤에 쓰세요.")
  }
}
