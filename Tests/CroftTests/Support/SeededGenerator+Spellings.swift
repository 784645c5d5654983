import TestSupport

extension SeededGenerator {
  private static let spellings: [Unicode.Scalar] = [
    // Latin, Turkish, German, Vietnamese.
    "A", "a", "e", "E", "I", "i", "s", "S", "é", "É", "ç", "œ", "\u{130}", "ı", "ß", "ẞ", "Ấ", "ŉ",
    "ǰ", "ǅ", "ﬃ", "\u{212A}", "\u{212B}", "Ｋ",
    // Greek, Armenian, Cyrillic.
    "α", "Σ", "ς", "ΐ", "ᾀ", "ᾳ", "\u{2126}", "\u{37E}", "և", "й", "и",
    // Marks, some in an order that is not theirs, and joiners.
    "\u{300}", "\u{301}", "\u{307}", "\u{308}", "\u{323}", "\u{345}", "\u{34F}", "\u{20DD}",
    "\u{338}", "\u{5B8}", "\u{653}", "\u{9BE}", "\u{3099}", "\u{302E}", "\u{F73}", "\u{E48}",
    // Syllables of Hangul and what they are made of.
    "한", "가", "각", "힣", "\u{1100}", "\u{1112}", "\u{1161}", "\u{11A8}", "\u{3131}", "\u{A960}",
    "\u{D7B0}",
    // Signs, emoji and others.
    "か", "字", "\u{9C7}", "\u{627}", "=", "≠", "→", "’", "\u{2000}", "👍", "\u{1F3FD}", "\u{200D}",
    "\u{FE0F}", "\u{F900}", "\u{1D15E}", "\u{1D160}", "\u{10400}", "\u{0}", "\u{7F}", "\u{80}",
  ]

  /// The UTF-8 of a text of a few words in any spelling, of which some bytes may be damaged.
  mutating func spelledText() -> [UInt8] {
    var text = String.UnicodeScalarView()
    for _ in 0..<below(9) {
      switch below(10) {
      case 0: text.append(Unicode.Scalar(UInt32(below(0x3_0000))) ?? "x")
      case 1: text.append(Unicode.Scalar(UInt32(below(0x600))) ?? "x")
      case 2, 3: text.append(" ")
      default: text.append(pick(Self.spellings))
      }
    }
    var utf8 = Array(String(text).utf8)
    if oneIn(12), !utf8.isEmpty { utf8[below(utf8.count)] = UInt8(below(256)) }
    return utf8
  }
}
