/// Random numbers that a seed repeats (SplitMix64, by Steele, Lea and Flood).
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// A number up to a bound, where small ones are as likely as large ones.
  mutating func scaled(_ range: ClosedRange<Int>) -> Int {
    let width = range.upperBound - range.lowerBound
    let bits = Int.bitWidth - width.leadingZeroBitCount
    let number = Int(next() >> 1) & ((1 << below(bits + 1)) - 1)
    return range.lowerBound + min(number, width)
  }
}
