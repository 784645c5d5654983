/// The letters of Hangul syllables, as they are typed.
private enum Hangul {
  /// The precomposed syllables: for each first letter and each middle one, without and with a last.
  static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3

  static let first = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ").map(String.init)
  static let middle = split("ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ")
  static let last =
    [""] + split("ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ")

  private static func split(_ letters: String) -> [String] {
    letters.split(separator: " ").map(String.init)
  }

  /// A text in lower case, its syllables replaced by what a closure makes of their three letters.
  static func replacingSyllables(
    of text: some StringProtocol,
    by write: (_ first: String, _ middle: String, _ last: String) -> String
  ) -> String {
    let composed = TextKey.canonicalComposition(of: text.lowercased())
    return composed.unicodeScalars.map { scalar in
      guard syllables.contains(scalar.value) else { return String(scalar) }
      let ordinal = Int(scalar.value - syllables.lowerBound)
      let (vowel, end) = ((ordinal / last.count) % middle.count, ordinal % last.count)
      return write(first[ordinal / (last.count * middle.count)], middle[vowel], last[end])
    }.joined()
  }
}

extension StringProtocol {
  /// The text in lower case, with the letters of each Hangul syllable: 하늘 is ㅎㅏㄴㅡㄹ.
  ///
  /// For a property that is searched while a syllable is typed. A letter of two strokes is two letters
  /// here: 달 is a prefix of 닭갈비. Equal in both normal forms of the text.
  ///
  /// - Complexity: O(length of the text).
  public var hangulLetters: String {
    Hangul.replacingSyllables(of: self) { $0 + $1 + $2 }
  }

  /// The text in lower case, with the first letter of each Hangul syllable: 하늘공원 is ㅎㄴㄱㅇ.
  ///
  /// For a property that is searched by the initials of its syllables. Equal in both normal forms of
  /// the text.
  ///
  /// - Complexity: O(length of the text).
  public var hangulInitials: String {
    Hangul.replacingSyllables(of: self) { first, _, _ in first }
  }
}
