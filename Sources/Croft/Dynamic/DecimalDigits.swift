/// The digits of a number's text, equal for texts of the same number.
struct DecimalDigits: Equatable {
  private var isNegative = false
  /// The digits without zeroes at either end; empty for zero.
  private var digits: [UInt8] = []
  /// The power of ten of the last digit; 0 for zero.
  private var exponent = 0

  /// Reads a text such as `-12.50` or `1e3`; nil for another one.
  init?(_ text: String) {
    let parts = text.split(
      maxSplits: 1, omittingEmptySubsequences: false,
      whereSeparator: { $0 == "e" || $0 == "E" })
    if parts.count > 1 {
      guard let power = Int32(parts[1]) else { return nil }
      exponent = Int(power)
    }
    var isAfterPoint = false
    for (place, byte) in parts[0].utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where place == 0: isNegative = true
      case UInt8(ascii: ".") where !isAfterPoint: isAfterPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte)
        if isAfterPoint { exponent -= 1 }
      default: return nil
      }
    }
    guard !digits.isEmpty else { return nil }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}
