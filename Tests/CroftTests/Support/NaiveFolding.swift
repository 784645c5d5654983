@testable import Croft

/// Folds a whole text scalar by scalar, by the standard library's mappings and normal forms.
enum NaiveFolding {
  static func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
    var text = text
    if options.contains(.diacriticInsensitive) {
      var rest = String.UnicodeScalarView()
      for scalar in TextKey.canonicalDecomposition(of: text) where !isMark(scalar) {
        rest.append(scalar)
      }
      text = String(rest)
    }
    text = TextKey.canonicalComposition(of: text)
    if options.contains(.caseInsensitive) {
      text = text.unicodeScalars.map(caseFolded).joined()
      text = TextKey.canonicalComposition(of: text)
    }
    return Array(text.utf8)
  }

  private static func caseFolded(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\u{131}" { return "\u{131}" }
    let lower = scalar.properties.lowercaseMapping
    let upper = lower.unicodeScalars.map(\.properties.uppercaseMapping).joined()
    return upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// Whether a text passes a test, by loops over the bytes of the folded texts.
  static func fits(_ text: [UInt8], _ kind: TextPattern.Kind, _ wanted: [UInt8]) -> Bool {
    switch kind {
    case .equal: text == wanted
    case .hasPrefix: text.starts(with: wanted)
    case .hasSuffix: text.reversed().starts(with: wanted.reversed())
    case .contains, .like, .matches:
      wanted.isEmpty || text.indices.contains { text[$0...].starts(with: wanted) }
    }
  }
}
