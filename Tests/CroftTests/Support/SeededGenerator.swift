import Foundation

/// Random numbers that a seed repeats (SplitMix64, by Steele, Lea and Flood).
///
/// Each run has a seed of its own, which is printed; `CROFT_SEED=… Scripts/test` replays it.
struct SeededGenerator: RandomNumberGenerator {
  /// The seed, for the messages of failed expectations.
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator with the seed of the environment, or a fresh one.
  static func forTest(_ name: String) -> SeededGenerator {
    let asked = ProcessInfo.processInfo.environment["CROFT_SEED"].flatMap { UInt64($0) }
    let generator = SeededGenerator(seed: asked ?? .random(in: 0...UInt64(UInt32.max)))
    print("\(name): CROFT_SEED=\(generator.seed)")
    return generator
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 on, below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True in one of `count` cases.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of some elements, which are not empty.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
