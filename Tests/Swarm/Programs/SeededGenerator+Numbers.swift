import TestSupport

extension SeededGenerator {
  /// A number up to a bound, where small ones are as likely as large ones.
  mutating func scaled(_ range: ClosedRange<Int>) -> Int {
    let width = range.upperBound - range.lowerBound
    let bits = Int.bitWidth - width.leadingZeroBitCount
    let number = Int(next() >> 1) & ((1 << below(bits + 1)) - 1)
    return range.lowerBound + min(number, width)
  }
}
