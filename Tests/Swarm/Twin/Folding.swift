import Foundation

/// Texts without their case or their diacritics, a scalar at a time.
enum Folding {
  /// - Parameter options: 1 for the case, 2 for the diacritics, 3 for both.
  static func folded(_ text: String, options: Int) -> String {
    var text = text.precomposedStringWithCanonicalMapping
    if options & 1 == 1 {
      for change in [lower, upper, lower] {
        text = text.unicodeScalars.map { change($0) }.joined()
      }
    }
    if options & 2 == 2 {
      var bare = String.UnicodeScalarView()
      for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
      where !isMark(scalar.value) { bare.append(scalar) }
      text = String(bare)
    }
    return text.precomposedStringWithCanonicalMapping
  }

  private static func lower(_ scalar: Unicode.Scalar) -> String {
    scalar.properties.lowercaseMapping
  }

  private static func upper(_ scalar: Unicode.Scalar) -> String {
    scalar == "\u{131}" ? "\u{131}" : scalar.properties.uppercaseMapping
  }

  private static func isMark(_ value: UInt32) -> Bool {
    switch value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// Whether a text passes a test, scalar by scalar.
  static func passes(_ text: String, _ test: TextTest, _ wanted: String, options: Int) -> Bool {
    let text = Array(folded(text, options: options).unicodeScalars)
    let wanted = Array(folded(wanted, options: options).unicodeScalars)
    return switch test {
    case .equals: text == wanted
    case .hasPrefix: text.starts(with: wanted)
    case .hasSuffix: text.reversed().starts(with: wanted.reversed())
    case .contains: wanted.isEmpty || text.indices.contains { text[$0...].starts(with: wanted) }
    case .like: isLike(text, wanted)
    }
  }

  /// Whether a text fits a pattern: the beginnings of the text that fit so far, a token at a time.
  private static func isLike(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var fitting = [true] + text.map { _ in false }
    var place = 0
    while place < pattern.count {
      var scalar = pattern[place]
      var next = fitting.map { _ in false }
      let isEscaped = scalar == "\\" && place + 1 < pattern.count
      if isEscaped {
        place += 1
        scalar = pattern[place]
      }
      if scalar == "*", !isEscaped {
        if let first = fitting.firstIndex(of: true) {
          for end in first..<fitting.count { next[end] = true }
        }
      } else {
        for end in text.indices where fitting[end] {
          if text[end] == scalar || scalar == "?" && !isEscaped { next[end + 1] = true }
        }
      }
      fitting = next
      place += 1
    }
    return fitting[text.count]
  }
}
