import TestSupport

extension SeededGenerator {
  mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

  /// A key of few kinds, so that keys repeat; some have the greatest length.
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
