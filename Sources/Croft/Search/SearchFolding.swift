/// Folds texts for a search: without case, marks, width and signs that are not seen.
///
/// It is what the options of texts do, and this besides: fullwidth letters become ASCII, halfwidth kana
/// and jamo the usual ones, and joiners, variation selectors, skin tones, soft hyphens, marks of
/// direction and tatweel vanish. A jamo that no syllable took becomes the letter, and a letter of two
/// keys becomes the two: ㄳ is ㄱㅅ.
enum SearchFolding {
  /// The definition of ``TextOptions/forSearch``.
  static func folded(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars { append(scalar, to: &plain, replacedBy: replacements) }
    var folded = ""
    let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    for scalar in TextFolding.folded(plain, options).unicodeScalars {
      append(scalar, to: &folded, replacedBy: letters)
    }
    return folded
  }

  private static func append(
    _ scalar: Unicode.Scalar, to text: inout String,
    replacedBy replacements: [Unicode.Scalar: String]
  ) {
    if !scalar.isASCII, let replacement = replacements[scalar] {
      text += replacement
    } else {
      text.unicodeScalars.append(scalar)
    }
  }

  /// What a scalar leaves of itself before anything is composed: its parts, without marks.
  static func decomposed(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    if scalar.isASCII || Hangul.syllables.contains(scalar.value) {
      return String(scalar).unicodeScalars
    }
    return TextFolding.withoutMarks(replacements[scalar] ?? String(scalar)).unicodeScalars
  }

  /// The scalars that are replaced before a text is composed, those that vanish by nothing.
  static let replacements: [Unicode.Scalar: String] = {
    var replacements: [Unicode.Scalar: String] = [:]
    for range in vanishing {
      for scalar in range.lazy.compactMap(Unicode.Scalar.init) { replacements[scalar] = "" }
    }
    /// Replaces scalars by those from another one on.
    func replace(_ scalars: ClosedRange<UInt32>, from first: UInt32) {
      for value in scalars {
        guard let scalar = Unicode.Scalar(value) else { continue }
        replacements[scalar] = Unicode.Scalar(value - scalars.lowerBound + first).map(String.init)
      }
    }
    // Digits and letters.
    replace(0xFF10...0xFF19, from: 0x30)
    replace(0xFF21...0xFF3A, from: 0x41)
    replace(0xFF41...0xFF5A, from: 0x61)
    // The last two are the marks of voice, which compose with the kana before them.
    let kana =
      "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
      + "\u{3099}\u{309A}"
    for (scalar, usual) in zip(
      (0xFF66...).lazy.compactMap(Unicode.Scalar.init), kana.unicodeScalars)
    {
      replacements[scalar] = String(usual)
    }
    // The filler, consonants, and vowels.
    replace(0xFFA0...0xFFA0, from: 0x3164)
    replace(0xFFA1...0xFFBE, from: 0x3131)
    replace(0xFFC2...0xFFC7, from: 0x314F)
    replace(0xFFCA...0xFFCF, from: 0x3155)
    replace(0xFFD2...0xFFD7, from: 0x315B)
    replace(0xFFDA...0xFFDC, from: 0x3161)
    return replacements
  }()

  /// The scalars that are replaced after a text is composed: jamo, and letters of two keys.
  static let letters: [Unicode.Scalar: String] = {
    var letters: [Unicode.Scalar: String] = [:]
    func replace(_ first: UInt32, by others: [String]) {
      for (scalar, other) in zip((first...).lazy.compactMap(Unicode.Scalar.init), others) {
        letters[scalar] = other
      }
    }
    replace(0x1100, by: Hangul.first)
    let vowels = (Hangul.firstVowel...).lazy.compactMap(Unicode.Scalar.init)
    replace(0x1161, by: vowels.prefix(Hangul.middle.count).map(String.init))
    replace(0x11A8, by: Array(Hangul.last.dropFirst()))
    for (scalar, keys) in zip(Hangul.lastScalars, Hangul.last.dropFirst())
    where keys.unicodeScalars.count > 1 {
      letters[scalar] = keys
    }
    return letters
  }()

  /// The scalars that vanish, in ranges.
  private static let vanishing: [ClosedRange<UInt32>] = [
    // The soft hyphen; the mark of Arabic's direction; tatweel.
    0x00AD...0x00AD, 0x061C...0x061C, 0x0640...0x0640,
    // Variation selectors.
    0x180B...0x180D, 0x180F...0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF,
    // Joiners, and marks of direction.
    0x200C...0x200F, 0x202A...0x202E, 0x2060...0x2060, 0x2066...0x2069, 0xFEFF...0xFEFF,
    // Skin tones.
    0x1F3FB...0x1F3FF,
  ]
}

extension TextOptions {
  /// Ignores what a search does: case, marks, width, and signs that are not seen.
  static let forSearch = TextOptions(
    rawValue: 4 | caseInsensitive.rawValue | diacriticInsensitive.rawValue)
}
