public import Croft

/// A colour of red, green, blue and opacity, each from 0 to 1 in 255 steps.
///
/// It is written, also in JSON, as people write it: `#ff8800`, or `#ff880080` when it is
/// not opaque.
public struct RGBA: RawRepresentable, StoredEnum, Hashable, Sendable {
  /// The four parts as bytes, red in the highest and opacity in the lowest.
  public let rawValue: UInt32

  /// Makes the colour of a number as `rawValue` gives it.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Makes a colour of its parts; nil where one is outside of 0...1 or not a number.
  public init?(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    var packed: UInt32 = 0
    for part in [red, green, blue, alpha] {
      guard (0...1).contains(part) else { return nil }
      packed = packed << 8 | UInt32((part * 255).rounded())
    }
    rawValue = packed
  }

  /// How much red there is.
  public var red: Double { part(24) }
  /// How much green there is.
  public var green: Double { part(16) }
  /// How much blue there is.
  public var blue: Double { part(8) }
  /// How opaque it is.
  public var alpha: Double { part(0) }

  /// The colour of a group for which none was chosen.
  public static let gray = RGBA(rawValue: 0x8080_80FF)

  /// A random colour that is dark enough for white text; new groups get one.
  public static func randomDark() -> RGBA {
    var generator = SystemRandomNumberGenerator()
    return randomDark(using: &generator)
  }

  /// A colour dark enough for white text, from a source of random numbers.
  public static func randomDark(using generator: inout some RandomNumberGenerator) -> RGBA {
    var packed: UInt32 = 0
    for _ in 0..<3 { packed = packed << 8 | UInt32.random(in: 0...127, using: &generator) }
    return RGBA(rawValue: packed << 8 | 0xFF)
  }

  private func part(_ shift: UInt32) -> Double { Double(rawValue >> shift & 0xFF) / 255 }
}

extension RGBA: TextCodable {
  /// How the text is written, for the error of another text.
  public static let textForm = "A color is #rgb, #rrggbb or #rrggbbaa"

  /// Reads `#rgb`, `#rrggbb` or `#rrggbbaa`, in either case; nil for anything else.
  public init?(_ text: String) {
    let digits = text.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == text.utf8.count - 1 else {
      return nil
    }
    let nibbles: [Int]
    switch digits.count {
    case 3: nibbles = digits.flatMap { [$0, $0] } + [15, 15]
    case 6: nibbles = digits + [15, 15]
    case 8: nibbles = digits
    default: return nil
    }
    rawValue = nibbles.reduce(0) { $0 << 4 | UInt32($1) }
  }

  /// The colour as people write it: `#rrggbb`, with `aa` after it when it is not opaque.
  public var description: String {
    let isOpaque = rawValue & 0xFF == 0xFF
    let digits = String(isOpaque ? rawValue >> 8 : rawValue, radix: 16)
    return "#" + String(repeating: "0", count: (isOpaque ? 6 : 8) - digits.count) + digits
  }
}
