extension StringProtocol {
  /// The text in lower case, with the letters of each Hangul syllable: 하늘 is ㅎㅏㄴㅡㄹ.
  ///
  /// For a property that is searched while a syllable is typed. A letter of two strokes is two letters
  /// here: 달 is a prefix of 닭갈비. Equal in both normal forms of the text.
  ///
  /// - Complexity: O(length of the text).
  public var hangulLetters: String {
    replacingSyllables { $0 + $1 + $2 }
  }

  /// The text in lower case, with the first letter of each Hangul syllable: 하늘공원 is ㅎㄴㄱㅇ.
  ///
  /// For a property that is searched by the initials of its syllables. Equal in both normal forms of
  /// the text.
  ///
  /// - Complexity: O(length of the text).
  public var hangulInitials: String {
    replacingSyllables { first, _, _ in first }
  }

  /// The text in lower case, its syllables replaced by what a closure makes of their three letters.
  private func replacingSyllables(
    by write: (_ first: String, _ middle: String, _ last: String) -> String
  ) -> String {
    let composed = TextKey.canonicalComposition(of: lowercased())
    return composed.unicodeScalars.map { scalar in
      guard let letters = Hangul.letters(of: scalar.value) else { return String(scalar) }
      return write(
        Hangul.first[letters.first], Hangul.middle[letters.middle], Hangul.last[letters.last])
    }.joined()
  }
}
