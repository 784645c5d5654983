/// The length of a text in units, in quarters of an octave: a byte each row has for each property.
///
/// 0 is an empty text; otherwise it is one more than four times the logarithm to the base 2, rounded.
enum TextLength {
  /// Where a quarter of an octave begins that is rounded up to it, for those after the first.
  private static let bounds = [
    1.090_507_732_665_257_7, 1.296_839_554_651_009_6, 1.542_210_825_407_940_7,
    1.834_008_086_409_342_5,
  ]
  /// The quarters of an octave.
  private static let quarters = [
    1, 1.189_207_115_002_721, 1.414_213_562_373_095_1, 1.681_792_830_507_429,
  ]

  /// The code of a number of units.
  static func code(of units: Int) -> UInt8 {
    units > 0 ? UInt8(1 + quarters(of: Double(units))) : 0
  }

  /// The code of a mean number of units; one that is less than 1 counts as 1.
  static func code(ofMean units: Double) -> UInt8 { UInt8(1 + quarters(of: max(units, 1))) }

  /// Four times the logarithm to the base 2 of a number that is not less than 1, rounded.
  static func quarters(of number: Double) -> Int {
    quarters.count * Int(number.exponent) + bounds.count { $0 <= number.significand }
  }

  /// The number whose logarithm to the base 2 is some quarters.
  static func octaves(_ quarters: Int) -> Double {
    let place = quarters & (Self.quarters.count - 1)
    let octave = (quarters - place) / Self.quarters.count
    return Double(sign: .plus, exponent: octave, significand: Self.quarters[place])
  }

  /// About how many units a text with a code has.
  static func units(of code: UInt8) -> UInt64 {
    guard code > 0 else { return 0 }
    return UInt64(exactly: octaves(Int(code) - 1).rounded()) ?? .max >> 1
  }
}
