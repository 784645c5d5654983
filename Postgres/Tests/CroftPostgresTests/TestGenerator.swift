/// Random numbers that a seed repeats (SplitMix64, by Steele, Lea and Flood, 2014).
struct TestGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A text of letters, which cannot be made much shorter.
  mutating func text(_ count: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return String((0..<count).map { _ in letters[below(letters.count)] })
  }

  /// A number from 0 on, below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
