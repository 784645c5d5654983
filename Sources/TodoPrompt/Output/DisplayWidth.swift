extension String {
  /// How many columns of a terminal the text takes.
  ///
  /// Wide characters take two columns, marks that join the one before take none,
  /// and an emoji made of several code points (a family, a flag, a skin tone, a
  /// variation selector) takes two as a whole. Characters of ambiguous width
  /// count as one. Control characters must be made visible first.
  ///
  /// - Complexity: O(n) in the characters of the text.
  var displayWidth: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// The text, filled with blanks up to a width; a wider one as it is.
  func padded(to width: Int, leading: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - displayWidth))
    return leading ? fill + self : self + fill
  }

  /// The text, or as much of it as fits in a width together with `...`.
  ///
  /// No character is cut in two: where half of a wide one would fit, it goes.
  func truncated(to width: Int) -> String {
    if displayWidth <= width { return self }
    let dots = String(repeating: ".", count: min(3, max(0, width)))
    var room = width - dots.count
    var kept = ""
    for character in self {
      room -= character.displayWidth
      if room < 0 { break }
      kept.append(character)
    }
    return kept + dots
  }
}

extension Character {
  /// How many columns of a terminal the character takes: 0, 1 or 2, more for rare clusters.
  var displayWidth: Int {
    let scalars = unicodeScalars
    guard scalars.count > 1 else { return scalars.reduce(0) { $0 + $1.displayWidth } }
    return isEmojiSequence ? 2 : scalars.reduce(0) { $0 + $1.displayWidth }
  }

  /// Whether several code points make one picture.
  private var isEmojiSequence: Bool {
    unicodeScalars.dropFirst().contains { scalar in
      switch scalar.value {
      case 0xFE0F, 0x20E3, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
      case 0x200D: unicodeScalars.contains { $0.properties.isEmoji && $0.value > 0x7F }
      default: false
      }
    }
  }
}

extension Unicode.Scalar {
  /// How many columns the code point takes by itself: 0, 1 or 2.
  var displayWidth: Int {
    if value < 0x300 { return 1 }
    if isZeroWidth { return 0 }
    return isWide ? 2 : 1
  }

  /// Marks, joiners, and the vowels, final consonants and fillers of decomposed Hangul.
  private var isZeroWidth: Bool {
    switch value {
    case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x3164, 0xFFA0: return true
    // Signs that stand before digits and are drawn, though they count as format characters.
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return false
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  private var isWide: Bool {
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = Self.wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      let range = Self.wideRanges[middle]
      if range.contains(value) { return true }
      if value < range.lowerBound { high = middle } else { low = middle + 1 }
    }
    return false
  }
}
