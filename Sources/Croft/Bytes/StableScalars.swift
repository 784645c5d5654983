/// Scalars before which a text may be truncated, so that the parts normalise and fold each by itself.
///
/// Such a scalar is in normalisation form C, has combining class 0, and neither it nor the first
/// scalar of its decomposition composes with a scalar before it. Unicode guarantees that this
/// stays so in later versions. Not all such scalars are listed: a scalar that is not costs time only.
enum StableScalars {
  /// Ranges of scalars that fold to themselves under all options.
  static let unchanged: [ClosedRange<UInt32>] = [
    // Hebrew, Arabic; punctuation, currencies.
    0x05D0...0x05EA, 0x0620...0x0621, 0x0627...0x064A, 0x0660...0x066F, 0x0671...0x06BF,
    0x2002...0x2064, 0x20A0...0x20BF,
    // Technical signs, boxes, shapes, dingbats, stars.
    0x2300...0x2328, 0x232B...0x23FF, 0x2460...0x24B5, 0x24EA...0x27BF, 0x2B00...0x2B73,
    // Symbols of CJK, Hiragana, Katakana, Bopomofo, letters of Hangul.
    0x3000...0x3029, 0x3030...0x303F, 0x3041...0x3096, 0x309B...0x30FF, 0x3105...0x312F,
    0x3131...0x318E, 0x3190...0x31E3, 0x31F0...0x321E, 0x3220...0x4DBF,
    // Ideographs, syllables of Hangul.
    0x4E00...0x9FFC, 0xAC00...0xD7A3,
    // Variation selectors, fullwidth and halfwidth signs and letters.
    0xFE00...0xFE0F, 0xFE30...0xFE4F, 0xFF01...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFFBE,
    0xFFE0...0xFFE6,
    // Emoji, ideographs.
    0x1F000...0x1F02B, 0x1F1E6...0x1F1FF, 0x1F300...0x1F6D7, 0x1F6E0...0x1F6EC,
    0x1F6F0...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F90D...0x1F978, 0x1F97A...0x1F9CB,
    0x1F9CD...0x1FA53, 0x1FA70...0x1FA74, 0x20000...0x2A6DD,
  ]

  /// Ranges of scalars of which some have a case or an accent.
  static let mapped: [ClosedRange<UInt32>] = [
    // Latin with its extensions, phonetic signs.
    0x0080...0x02FF,
    // Greek, Cyrillic, Armenian.
    0x0370...0x0373, 0x0376...0x0377, 0x037A...0x037D, 0x0384...0x0386, 0x0388...0x038A,
    0x038E...0x03A1, 0x03A3...0x0482, 0x048A...0x052F, 0x0531...0x0556, 0x0560...0x058A,
    0x0622...0x0626, 0x06C0...0x06D5,
    // Latin of Vietnamese and others.
    0x1E00...0x1EFF,
    // Letterlike signs, numerals, arrows, operators, letters in circles.
    0x2100...0x2125, 0x2150...0x2189, 0x2190...0x22FF, 0x24B6...0x24E9,
    // Fullwidth Latin.
    0xFF21...0xFF3A, 0xFF41...0xFF5A,
  ]

  /// Ranges of the mapped ones with the letters that an ASCII letter and a mark compose.
  static let accented: [ClosedRange<UInt32>] = [0x00C0...0x024F, 0x1E00...0x1EFF]
}
