/// A sum of floating point numbers that does not round, so that numbers can be taken out again.
///
/// The sum is a number of binary digits from the least subnormal number to far above the greatest: the
/// small superaccumulator of R. M. Neal, "Fast exact summation using small and large
/// superaccumulators" (2015). Whatever the order of the numbers, ``value`` is their sum, rounded once.
struct ExactSum: Sendable {
  /// How many digits hold the sum of as many numbers as a count can tell.
  private static let digitCount = 68
  /// The bits of a digit; the rest of its word takes up carries.
  private static let digitBits = 32
  /// How many numbers a digit's word has room for until its carry must move on.
  private static let mostCarries = 1024
  /// The exponent of the lowest bit of the lowest digit.
  private static let lowestExponent = -1074

  /// The digits, the least first; empty for a sum of zeros.
  private var digits: [Int64] = []
  /// How many numbers were added since the carries moved on.
  private var carries = 0
  private var notNumbers = 0
  private var infinities = (positive: 0, negative: 0)

  mutating func add(_ number: Double) { change(number, by: 1) }

  mutating func remove(_ number: Double) { change(number, by: -1) }

  private mutating func change(_ number: Double, by count: Int) {
    guard number.isFinite else {
      if number.isNaN {
        notNumbers += count
      } else if number > 0 {
        infinities.positive += count
      } else {
        infinities.negative += count
      }
      return
    }
    if number == 0 { return }
    if digits.isEmpty { digits = Array(repeating: 0, count: Self.digitCount) }
    if carries == Self.mostCarries { propagateCarries() }
    carries += 1
    let isNormal = number.exponentBitPattern > 0
    let significand =
      number.significandBitPattern | (isNormal ? 1 << UInt64(Double.significandBitCount) : 0)
    let position = Int(isNormal ? number.exponentBitPattern - 1 : 0)
    let (place, shift) = (position / Self.digitBits, position % Self.digitBits)
    let low = Int64(significand << UInt64(shift) & UInt64(UInt32.max))
    let high = Int64(significand >> UInt64(Self.digitBits - shift))
    let isAdded = (count > 0) == (number.sign == .plus)
    digits[place] += isAdded ? low : -low
    digits[place + 1] += isAdded ? high : -high
  }

  /// Moves the carries on, so that all digits but the last are in their range.
  private mutating func propagateCarries() {
    carries = 0
    for place in 0..<digits.count - 1 {
      let carry = digits[place] >> Int64(Self.digitBits)
      digits[place] -= carry << Int64(Self.digitBits)
      digits[place + 1] += carry
    }
  }

  /// The sum, rounded to the nearest number: 0 of nothing, and NaN of opposite infinities.
  var value: Double {
    if notNumbers > 0 || infinities.positive > 0 && infinities.negative > 0 { return .nan }
    if infinities.positive > 0 { return .infinity }
    if infinities.negative > 0 { return -.infinity }
    var sum = self
    if digits.isEmpty { return 0 }
    sum.propagateCarries()
    let isNegative = sum.digits[sum.digits.count - 1] < 0
    if isNegative {
      for place in sum.digits.indices { sum.digits[place].negate() }
      sum.propagateCarries()
    }
    let magnitude = sum.magnitude
    return isNegative ? -magnitude : magnitude
  }

  /// The rounded value of digits that are all in their range.
  private var magnitude: Double {
    guard let top = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The three highest digits have more bits than a number; of the others it matters whether any is set.
    var window: UInt128 = 0
    for place in stride(from: top, to: top - 3, by: -1) {
      window = window << UInt128(Self.digitBits) | UInt128(place < 0 ? 0 : digits[place])
    }
    let dropped = UInt128.bitWidth - window.leadingZeroBitCount - UInt64.bitWidth
    var leading = UInt64(truncatingIfNeeded: window >> UInt128(dropped))
    let hasRest =
      window & ((1 << UInt128(dropped)) - 1) != 0
      || digits.prefix(max(0, top - 2)).contains { $0 != 0 }
    if hasRest { leading |= 1 }
    // Below the normal numbers every sum is exact, so nothing is rounded a second time.
    return Double(
      sign: .plus, exponent: (top - 2) * Self.digitBits + dropped + Self.lowestExponent,
      significand: Double(leading))
  }
}
