import Foundation

/// Random numbers that a seed repeats; `CROFT_SEED` in the environment chooses it.
package struct SeededGenerator: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  package init() {
    let chosen = ProcessInfo.processInfo.environment["CROFT_SEED"].flatMap { UInt64($0) }
    seed = chosen ?? UInt64.random(in: 0 ... .max)
    state = seed
  }

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
