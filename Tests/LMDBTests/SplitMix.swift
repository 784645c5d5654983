import Foundation

/// A small generator whose seed replays it (Steele, Lea and Flood: SplitMix64).
struct SplitMix: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator with the seed of the environment, or a fresh one, which is printed.
  static func forTest(_ name: String) -> SplitMix {
    let asked = ProcessInfo.processInfo.environment["CROFT_SEED"].flatMap { UInt64($0) }
    let random = SplitMix(seed: asked ?? .random(in: 0...(.max)))
    print("CROFT_SEED=\(random.seed) replays \(name)")
    return random
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

  /// A key of few kinds, so that keys meet; some are as long as can be.
  mutating func key() -> [UInt8] {
    let count = chance(1, of: 12) ? 400 + below(100) : 1 + below(3)
    let alphabet: [UInt8] = [0x00, 0x01, 0x41, 0x7F, 0x80, 0xFE, 0xFF]
    let byte = alphabet[below(alphabet.count)]
    return [byte] + (1..<count).map { _ in alphabet[below(alphabet.count)] }.prefix(count - 1)
  }

  /// A value that fits into a page, or takes some of its own.
  mutating func value() -> [UInt8] {
    let count = chance(1, of: 8) ? 2_000 + below(9_000) : below(200)
    return [UInt8](repeating: UInt8(below(256)), count: count)
  }
}
