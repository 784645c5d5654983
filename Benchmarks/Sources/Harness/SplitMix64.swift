/// A small random generator whose sequence depends on its seed alone.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
///
/// It draws and shuffles by itself: the standard library may change how it does either.
package struct SplitMix64: Sendable {
  private var state: UInt64

  /// Starts the sequence of a seed.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix64.mix(state)
  }

  /// A number from 0 up to a bound, exclusive.
  ///
  /// Uneven by less than bound / 2^64, which no workload can feel.
  package mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// The same elements in random order (Fisher and Yates).
  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for last in elements.indices.dropFirst().reversed() {
      elements.swapAt(last, below(last + 1))
    }
    return elements
  }

  /// Spreads every bit of a word over the whole word; different words stay different.
  package static func mix(_ word: UInt64) -> UInt64 {
    var z = word
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
