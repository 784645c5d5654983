/// The letters of Hangul syllables, as they are typed on a keyboard of two sets.
///
/// A letter is written here by its keys: ㅘ is ㅗㅏ, and ㄳ is ㄱㅅ.
enum Hangul {
  /// The precomposed syllables: for each first letter and each middle one, without and with a last.
  static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
  /// How many of them each first letter begins.
  static let perFirst: UInt32 = 588
  /// The consonants that are written alone.
  static let consonants: ClosedRange<UInt32> = 0x3131...0x314E
  /// The letters that are written alone, old ones too.
  static let letters: ClosedRange<UInt32> = 0x3131...0x318E
  /// The first of the vowels that are written alone, which have the order of ``middle``.
  static let firstVowel: UInt32 = 0x314F

  static let first = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ").map(String.init)
  static let middle = split("ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ")
  static let last =
    [""] + split("ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ")
  /// The last letters as one scalar each, the one after the other.
  static let lastScalars = Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars)

  private static func split(_ letters: String) -> [String] {
    letters.split(separator: " ").map(String.init)
  }

  /// The ordinals of a syllable's three letters; nil for another scalar.
  static func letters(
    of scalar: UInt32
  ) -> (first: Int, middle: Int, last: Int)? {
    guard syllables.contains(scalar) else { return nil }
    let (rest, end) = Int(scalar - syllables.lowerBound)
      .quotientAndRemainder(dividingBy: last.count)
    return (rest / middle.count, rest % middle.count, end)
  }

  /// The syllable of three letters, by their ordinals.
  static func syllable(_ first: Int, _ middle: Int, _ last: Int) -> UInt32 {
    syllables.lowerBound + UInt32((first * self.middle.count + middle) * self.last.count + last)
  }

  /// The syllables that begin with a letter.
  static func syllables(beginningWith first: Int) -> ClosedRange<UInt32> {
    syllable(first, 0, 0)...syllable(first, middle.count - 1, last.count - 1)
  }
}
