import Testing
import TestSupport

@testable import Croft

@Suite struct ChecksumTests {
  private func sum(_ key: [UInt8], _ value: [UInt8]) -> UInt32 {
    key.withUnsafeBytes { key in value.withUnsafeBytes { unsafe Checksum.of(key, $0) } }
  }

  /// The article's steps once more, byte by byte and without a shortcut.
  private func article(_ key: [UInt8], _ value: [UInt8]) -> UInt32 {
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let product = left.multipliedFullWidth(by: right)
      return product.high ^ product.low
    }
    let (p, q, r): (UInt64, UInt64, UInt64) = (
      0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3
    )
    func fold(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
      if bytes.isEmpty { return mix(p, seed) }
      var (state, rest) = (seed, bytes[...])
      while rest.count > 16 {
        state = mix(number(rest.prefix(8)) ^ p, number(rest.dropFirst(8).prefix(8)) ^ state)
        rest = rest.dropFirst(16)
      }
      let width = rest.count >= 8 ? 8 : rest.count >= 4 ? 4 : 0
      let low = width > 0 ? number(rest.prefix(width)) : number(rest)
      return mix(low ^ p, (width > 0 ? number(rest.suffix(width)) : 0) ^ state)
    }
    let state = fold(value, fold(key, p))
    let sum = mix(state ^ q, UInt64(key.count) << 40 ^ UInt64(value.count) ^ r)
    return UInt32(truncatingIfNeeded: sum) ^ UInt32(truncatingIfNeeded: sum >> 32)
  }

  @Test func itIsWhatTheArticleSaysAtEveryLength() {
    var random = SeededGenerator(seed: 11)
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      for cut in Set([0, min(length, 1), length / 3, min(length, 8), length]) {
        let (key, value) = (Array(bytes[..<cut]), Array(bytes[cut...]))
        #expect(sum(key, value) == article(key, value))
      }
    }
  }

  /// Files hold these sums: a change of them is a change of the format.
  @Test func theSumsOfSomeBytesStayAsTheyAre() {
    let bytes = (0..<40).map { UInt8($0) }
    let sums = [0, 1, 3, 4, 7, 8, 9, 16, 17, 32, 33].map {
      sum([0x80, 0, 0, 0, 0, 0, 0, 7], Array(bytes[..<$0]))
    }
    #expect(sums == Self.known)
  }

  private static let known: [UInt32] = [
    0x8828_2B86, 0xD06A_2F26, 0x8AB2_3BFA, 0x1C10_07DE, 0xF621_6D7F, 0x4D15_587A, 0x5A52_4D99,
    0x0994_FDB0, 0x569A_8B20, 0x064E_B39D, 0x72EA_82DE,
  ]

  @Test func everyFlippedBitOfKeyAndRowIsNoticed() {
    var random = SeededGenerator.forTest("everyFlippedBitOfKeyAndRowIsNoticed")
    for length in [0, 1, 3, 4, 5, 8, 12, 15, 16, 17, 31, 32, 33, 60, 129, 300] {
      for zeroes in [true, false] {
        var bytes = (0..<8 + length).map { _ in
          zeroes ? 0 : UInt8(truncatingIfNeeded: random.next())
        }
        let right = sum(Array(bytes[..<8]), Array(bytes[8...]))
        for bit in 0..<8 * bytes.count {
          bytes[bit / 8] ^= 1 << UInt8(bit % 8)
          #expect(sum(Array(bytes[..<8]), Array(bytes[8...])) != right, "bit \(bit) of \(length)")
          bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
      }
    }
  }

  /// A flipped bit changes each bit of the sum about as often as not.
  @Test func aFlippedBitChangesHalfOfTheSum() {
    var random = SeededGenerator(seed: 12)
    var changes = [Int](repeating: 0, count: 32)
    let rounds = 4_000
    for _ in 0..<rounds {
      var bytes = (0..<48).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let before = sum(Array(bytes[..<8]), Array(bytes[8...]))
      bytes[random.below(48)] ^= 1 << UInt8(random.below(8))
      let difference = before ^ sum(Array(bytes[..<8]), Array(bytes[8...]))
      for bit in 0..<32 where difference >> UInt32(bit) & 1 == 1 { changes[bit] += 1 }
    }
    for count in changes { #expect(abs(count - rounds / 2) < rounds / 20) }
  }

  @Test func bytesThatChangePlacesOrGoOverToTheRowAreNoticed() {
    let bytes = (1..<33).map { UInt8($0) }
    let right = sum(Array(bytes[..<8]), Array(bytes[8...]))
    #expect(sum(Array(bytes[..<9]), Array(bytes[9...])) != right)
    #expect(sum(Array(bytes[..<8]), Array(bytes[8...]) + [0]) != right)
    var swapped = bytes
    swapped.swapAt(10, 20)
    #expect(sum(Array(swapped[..<8]), Array(swapped[8...])) != right)
  }
}
