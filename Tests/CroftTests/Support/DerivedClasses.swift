@testable import Croft

/// The classes of scalars as the rules of a search derive them from Unicode's properties.
enum DerivedClasses {
  /// The version of Unicode of which the table has the scalars.
  static let version = (major: 17, minor: 0)

  /// The blocks of the scripts that need no spaces between words.
  private static let blocks: [ClosedRange<UInt32>] = [
    // Thai, Lao, Khmer, Burmese.
    0x0E00...0x0EFF, 0x1780...0x17FF, 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,
    0x116D0...0x116FF,
    // Hangul.
    0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF,
    // Symbols of CJK, kana, bopomofo.
    0x3000...0x312F, 0x3190...0x32FF, 0xFF65...0xFFDC, 0x1AFF0...0x1B16F,
    // Han.
    0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x16FE3...0x16FE3, 0x16FF0...0x16FF6,
    0x20000...0x3FFFF,
    // Yi.
    0xA000...0xA4CF,
  ]

  /// The class of a scalar; nil for one that the version does not have.
  static func unitClass(of scalar: Unicode.Scalar) -> UnitClass? {
    let properties = scalar.properties
    guard let age = properties.age, (age.major, age.minor) <= version else { return nil }
    if properties.isWhitespace || scalar == "\u{200B}" { return .space }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return blocks.contains { $0.contains(scalar.value) } ? .character : .word
    case .otherSymbol, .mathSymbol, .modifierSymbol:
      return properties.isEmoji && !scalar.isASCII ? .character : .separator
    default: return .separator
    }
  }

  /// All scalars of a class, as the table writes them: ranges, a few in each line.
  static func ranges(of wanted: UnitClass) -> [String] {
    var ranges: [ClosedRange<UInt32>] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), unitClass(of: scalar) == wanted else { continue }
      if let last = ranges.last, last.upperBound + 1 == value {
        ranges[ranges.count - 1] = last.lowerBound...value
      } else {
        ranges.append(value...value)
      }
    }
    var lines = [""]
    for range in ranges {
      let bounds = range.count == 1 ? [range.lowerBound] : [range.lowerBound, range.upperBound]
      let text = bounds.map { String($0, radix: 16, uppercase: true) }.joined(separator: "-")
      if lines[lines.count - 1].count + text.count > 92 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + text
    }
    return lines
  }

  /// The source of the table.
  static var source: String {
    func list(_ name: String, _ comment: String, _ wanted: UnitClass) -> String {
      let lines = ranges(of: wanted).map { "    \($0)\n" }.joined()
      return "  /// \(comment)\n  static let \(name) = \"\"\"\n\(lines)    \"\"\"\n"
    }
    return """
      /// The classes of scalars in a search: rules 1, frozen.
      ///
      /// They are derived from Unicode \(version.major), and stay as they are with later versions, so that
      /// all programs divide a text alike. A test writes this file: `CROFT_REWRITE_GOLDEN=1 Scripts/test
      /// --filter UnitRangesTests`. Other ranges need another number.
      enum UnitRanges {
        /// The number of the rules.
        static let rules = 1

      \(list("words", "Letters, digits and marks of scripts that separate words.", .word))
      \(list("characters", "Those of scripts that need no spaces, and emoji.", .character))
      \(list("spaces", "White space.", .space))
        /// The ranges of a list.
        static func scalars(_ list: String) -> [ClosedRange<UInt32>] {
          list.split(whereSeparator: \\.isWhitespace).compactMap { range in
            let bounds = range.split(separator: "-").compactMap { UInt32($0, radix: 16) }
            guard let lower = bounds.first, let upper = bounds.last else { return nil }
            return lower...upper
          }
        }
      }

      """
  }
}
