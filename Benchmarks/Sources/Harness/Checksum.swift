/// A number that two engines share only when they hold the same objects and gave the same answers.
///
/// The order of additions does not matter. An object's part is FNV-1a over its fields, mixed; the
/// parts are summed modulo 2^64.
package struct Checksum: Sendable, Hashable {
  private var sum: UInt64 = 0

  /// The checksum of nothing.
  package init() {}

  /// Adds an object with all its fields.
  package mutating func add(_ item: Item) {
    var hash = FNV1a()
    hash.add(UInt64(bitPattern: item.id))
    for byte in item.text.utf8 { hash.add(byte) }
    hash.add(UInt64(bitPattern: Int64(item.priority)))
    hash.add(item.isDone ? 1 : 0 as UInt8)
    hash.add(item.createdAt.bitPattern)
    hash.add(UInt64(bitPattern: Int64(item.groupId)))
    sum &+= SplitMix64.mix(hash.value)
  }

  /// Adds an answer, such as a count, under the name of its question.
  package mutating func add(_ answer: Int, named name: String) {
    var hash = FNV1a()
    for byte in name.utf8 { hash.add(byte) }
    hash.add(UInt64(bitPattern: Int64(answer)))
    sum &+= SplitMix64.mix(hash.value)
  }

  /// 16 hexadecimal digits.
  package var hexadecimal: String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The hash of Fowler, Noll and Vo, 64 bits, variant 1a.
private struct FNV1a {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  mutating func add(_ word: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
  }
}
