/// A word, or a character of a script that needs no spaces, in a folded text.
struct SearchUnit {
  /// What a text has between a unit and the one before it.
  enum Gap {
    /// Nothing.
    case none
    /// White space alone.
    case space
    /// Signs, or the beginning of the text.
    case signs
  }

  /// The scalar of a character; 0 for a word.
  let character: UInt32
  /// Where the unit is among the bytes of the text.
  let bytes: Range<Int>
  let gap: Gap
  /// Whether a word starts here: no character of the same sort is directly before it.
  let startsWord: Bool

  /// How many bytes of a word count, in texts and in queries.
  static let longestWord = 64
}

/// Divides a folded text into units, the one after the other.
@safe
struct SearchUnits {
  private let text: UnsafeRawBufferPointer
  // Each use of a global that is made at its first use asks whether it was.
  private let classes = UnitClass.table
  private var place = 0
  /// The sort of the unit that ended last.
  private var sort = Sort.word

  /// Letters alone, as in ㅋㅋ, are another sort of characters than all others.
  private enum Sort {
    case word, character, letter
  }

  init(_ text: UnsafeRawBufferPointer) { unsafe self.text = text }

  mutating func next() -> SearchUnit? {
    var gap = place == 0 ? SearchUnit.Gap.signs : .none
    while unsafe place < text.count {
      let start = place
      let scalar = readScalar()
      switch classes[scalar] {
      case .separator: gap = .signs
      case .space: if gap == .none { gap = .space }
      case .word:
        skipWord()
        sort = .word
        return SearchUnit(character: 0, bytes: start..<place, gap: gap, startsWord: true)
      case .character:
        let before = sort
        sort = Hangul.letters.contains(scalar) ? .letter : .character
        return SearchUnit(
          character: scalar, bytes: start..<place, gap: gap,
          startsWord: gap != .none || before != sort)
      }
    }
    return nil
  }

  private mutating func skipWord() {
    while unsafe place < text.count {
      // Safety: the text has a byte there.
      let lead = unsafe text[place]
      if lead < 0x80 {
        guard classes[ascii: lead] == .word else { return }
        place &+= 1
        continue
      }
      let start = place
      if classes[readScalar()] == .word { continue }
      place = start
      return
    }
  }

  /// Reads a scalar; folded texts are valid UTF-8.
  @inline(__always)
  private mutating func readScalar() -> UInt32 {
    // Safety: each byte is read only where the text has one.
    let lead = unsafe text[place]
    place &+= 1
    if lead < 0x80 { return UInt32(lead) }
    let more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
    var scalar = UInt32(lead & (0x3F >> UInt8(more)))
    var left = unsafe min(more, text.count &- place)
    while left > 0 {
      scalar = unsafe scalar << 6 | UInt32(text[place] & 0x3F)
      place &+= 1
      left &-= 1
    }
    return scalar
  }
}
