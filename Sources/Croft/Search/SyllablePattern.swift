import CroftLibc

/// Syllables of Hangul that follow each other, looked for in a text that is not folded.
///
/// A syllable folds to itself, and only jamo that compose fold to one. So the bytes of a text without jamo
/// tell where it has the syllables. They also tell what is between two of them, where that is nothing
/// or white space of ASCII; other signs may vanish, or compose. Most Korean texts need not be folded so.
struct SyllablePattern {
  /// The UTF-8 of the syllables.
  private let bytes: [UInt8]

  /// The bytes of each of them.
  private static let size = 3
  /// The first byte of each jamo that composes, and of some other scalars.
  private static let jamoLead: UInt8 = 0xE1

  /// Makes the pattern of some parts; nil where one is not a syllable, or is apart from the one before.
  init?(_ parts: [SearchPattern.Part]) {
    var text = ""
    for (place, part) in parts.enumerated() {
      guard case .character(let ranges) = part.element, ranges.count == 1, ranges[0].count == 1,
        Hangul.syllables.contains(ranges[0].lowerBound), place == 0 || !part.isApart,
        let scalar = Unicode.Scalar(ranges[0].lowerBound)
      else { return nil }
      text.unicodeScalars.append(scalar)
    }
    if text.isEmpty { return nil }
    bytes = Array(text.utf8)
  }

  /// Whether the syllables occur in a text; nil where only the folded text tells.
  ///
  /// As in each search, the text may have white space between them from a word's start on.
  ///
  /// - Complexity: O(*n*), and the length of the pattern for each place where its first syllable is.
  func occurs(in text: UnsafeRawBufferPointer) -> Bool? {
    guard let start = text.baseAddress else { return false }
    return unsafe bytes.withUnsafeBytes { syllables -> Bool? in
      // Safety: each byte that is read is inside the text: the places are less than its length, and
      // the last byte of a syllable is sought from its place in a text that begins with it.
      if unsafe memchr(start, Int32(Self.jamoLead), text.count) != nil { return nil }
      var isKnown = true
      var place = Self.size - 1
      // The last byte tells syllables apart best.
      let last = unsafe Int32(syllables[Self.size - 1])
      while place < text.count, let found = unsafe memchr(start + place, last, text.count - place) {
        let end = unsafe UnsafeRawPointer(found) - start + 1
        place = end
        guard unsafe text[end - 3] == syllables[0], unsafe text[end - 2] == syllables[1] else {
          continue
        }
        switch unsafe Self.follow(syllables, in: text, from: end) {
        case true?: return true
        case false?: break
        case nil: isKnown = false
        }
      }
      return isKnown ? false : nil
    }
  }

  /// Whether the syllables after the first one follow at its end; nil where only the folded text tells.
  private static func follow(
    _ syllables: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from end: Int
  ) -> Bool? {
    var (place, next, hasSpace) = (end, size, false)
    while next < syllables.count {
      // Safety: each byte is read only where the text has one.
      guard place < text.count else { return false }
      let lead = unsafe text[place]
      if lead < 0x80 {
        guard UnitClass.of(UInt32(lead)) == .space else { return false }
        hasSpace = true
        place += 1
        continue
      }
      guard unsafe isSyllable(text, at: place) else { return nil }
      for byte in 0..<size where unsafe text[place + byte] != syllables[next + byte] {
        return false
      }
      place += size
      next += size
    }
    return hasSpace ? unsafe startsWord(text, at: end - size) : true
  }

  /// Whether a word starts at a syllable; nil where only the folded text tells.
  private static func startsWord(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool? {
    // Safety: the byte before the place is in the text, unless the text begins there.
    if place == 0 || (unsafe text[place - 1] < 0x80) { return true }
    return place >= size && (unsafe isSyllable(text, at: place - size)) ? false : nil
  }

  private static func isSyllable(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard place + size <= text.count else { return false }
    // Safety: the text has three bytes there.
    let (lead, second, third) = unsafe (text[place], text[place + 1], text[place + 2])
    guard lead & 0xF0 == 0xE0, (second ^ 0x80) | (third ^ 0x80) < 0x40 else { return false }
    let scalar = UInt32(lead & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
    return Hangul.syllables.contains(scalar)
  }
}
