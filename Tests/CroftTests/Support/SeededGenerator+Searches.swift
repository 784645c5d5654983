import TestSupport

@testable import Croft

extension SeededGenerator {
  private static let parts = [
    "가", "각", "간", "갂", "갃", "고", "과", "곡", "괘", "까", "나", "아", "우", "유", "웅", "을", "자", "잔", "잖",
    "달", "닭", "라", "사", "ㅇ", "ㄱ", "ㅅ", "ㄳ", "ㅋ", "ㅋㅋ", "ㅏ", "우유", "각자", "닭갈비",
    "a", "b", "ab", "É", "ss", "ß", "3", "x12", "iPhone", "😀", "👍🏽", "❤️", "日本", "か", "カ", "ｶﾞ", "ไทย",
    "محمد",
    "\u{1112}\u{1161}\u{11AB}", "\u{1100}", "\u{200D}", "ﾡ", "Ａ",
  ]
  private static let gaps = [
    " ", " ", " ", "  ", "\n", "\u{3000}", "\u{A0}", "-", ", ", ".", "\u{0}", "。", " · ",
    "\u{E000}",
  ]

  /// A text of a few words in scripts of all kinds.
  mutating func searchedText() -> String {
    var text = ""
    for _ in 0..<below(10) {
      text += pick(Self.parts)
      if oneIn(3) { text += pick(Self.gaps) }
    }
    return oneIn(8) ? String(TextKey.canonicalDecomposition(of: text)) : text
  }

  /// A query of terms that are often in a text, in the ways in which people type them.
  mutating func search(in text: String) -> String {
    var query = ""
    for ordinal in 0...below(oneIn(3) ? 3 : 1) {
      if ordinal > 0 { query += oneIn(4) ? " OR " : " " }
      if oneIn(6) { query += "-" }
      let term = term(in: text)
      query += oneIn(6) ? "\"\(term)\"" : term
      if oneIn(8) { query += "*" }
    }
    return query
  }

  private mutating func term(in text: String) -> String {
    let scalars = Array((oneIn(10) ? searchedText() : text).precomposed.unicodeScalars)
    let start = below(scalars.count)
    var term = Array(scalars[start...].prefix(1 + below(4)))
    if oneIn(2) { term.removeAll { UnitClass.of($0.value) == .space } }
    if oneIn(3) {
      for place in term.indices where !oneIn(4) { term[place] = term[place].initial }
    }
    let isTyped = oneIn(3)
    if isTyped, let last = term.popLast() { term.append(typed(last)) }
    var written = String(String.UnicodeScalarView(term))
    if isTyped { written += "*" }
    return written
  }

  /// A state of a keyboard on the way to a syllable.
  private mutating func typed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard let letters = Hangul.letters(of: scalar.value) else { return scalar }
    switch below(4) {
    case 0: return scalar.initial
    case 1: return Unicode.Scalar(Hangul.syllable(letters.first, letters.middle, 0)) ?? scalar
    default: return scalar
    }
  }
}

extension String {
  fileprivate var precomposed: String { TextKey.canonicalComposition(of: self) }
}

extension Unicode.Scalar {
  /// The first letter of a syllable; another scalar itself.
  fileprivate var initial: Unicode.Scalar {
    Hangul.letters(of: value).flatMap { Hangul.first[$0.first].unicodeScalars.first } ?? self
  }
}
