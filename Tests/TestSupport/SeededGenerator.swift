import Foundation

/// Random numbers that a seed repeats (SplitMix64, by Steele, Lea and Flood, 2014).
///
/// Each run has a seed of its own; `CROFT_SEED=… Scripts/test` replays it.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed, for the messages of failed expectations.
  package let seed: UInt64
  private var state: UInt64

  /// Makes the generator of a seed.
  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Makes a generator with the seed of the environment, or a new one.
  package init() {
    let asked = ProcessInfo.processInfo.environment["CROFT_SEED"].flatMap { UInt64($0) }
    self.init(seed: asked ?? .random(in: 0 ... .max))
  }

  /// A generator with the seed of the environment, or a new one, which is printed.
  package static func forTest(_ name: String) -> SeededGenerator {
    let generator = SeededGenerator()
    print("\(name): CROFT_SEED=\(generator.seed)")
    return generator
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 on, below a bound; 0 for a bound of 0.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// True in one of `count` cases.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of some elements, which are not empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
