import Testing
import TestSupport

@testable import Croft

/// Codes too long for an index keep their first bytes, a mark and a hash.
@Suite struct KeyCodeCutTests {
  private let kept = KeyCode.longestKept([StorageType(.data)])
  private let schema = ColumnDefinition(name: "c", storage: StorageType(.data))

  /// Bytes around the limit that share long beginnings, with zeroes where they may be truncated.
  private func values(_ random: inout SeededGenerator) -> [[UInt8]] {
    var values: [[UInt8]] = []
    for _ in 0..<40 {
      var value = [UInt8](repeating: random.pick([0x61, 0x61, 0]), count: kept - 6)
      if value[0] == 0 { value.removeLast(value.count / 2) }
      value += (0..<random.below(14)).map { _ in random.pick([0, 0, 1, 0x61, 0xFF]) }
      values.append(value)
      if random.oneIn(3) { values.append(value + random.data(longest: 300)) }
      if random.oneIn(3) { values.append(value + [0]) }
    }
    return values
  }

  @Test func cutCodesTellValuesApartAndStandRightAmongWholeOnes() {
    var random = SeededGenerator.forTest("cut codes")
    for _ in 0..<Torture.steps(short: 4, long: 100) {
      let values = values(&random)
      let codes = values.map { schema.storage.code(of: .data($0), cut: kept) }
      #expect(codes.contains { $0.isCut } && codes.contains { !$0.isCut })
      for left in values.indices {
        check(codes[left], of: values[left], random.seed)
        for right in values.indices {
          let order = StoredValue.data(values[left]).order(to: .data(values[right]))
          check(codes[left], codes[right], order, random.seed)
        }
      }
    }
  }

  private func check(_ code: CandidateBounds.IndexCode, of value: [UInt8], _ seed: UInt64) {
    let whole = schema.storage.code(of: .data(value), cut: nil).bytes
    #expect(code.isCut == (whole.count - 2 > kept), "seed \(seed)")
    #expect(code.bytes.count <= kept + 18)
    let length = (code.bytes + [0xAA]).withUnsafeBytes {
      KeyCode.length(of: schema.storage, in: $0)
    }
    #expect(length == code.bytes.count, "seed \(seed)")
    guard code.isCut else { return }
    #expect(whole.starts(with: code.kept))
    // The kept bytes are whole escapes: each 00 is followed by its FF.
    var zeroes = code.kept.indices.filter { code.kept[$0] == 0 }
    zeroes.removeAll { code.kept.indices.contains($0 + 1) && code.kept[$0 + 1] == 0xFF }
    #expect(zeroes == [], "seed \(seed)")
  }

  private func check(
    _ left: CandidateBounds.IndexCode, _ right: CandidateBounds.IndexCode, _ order: Int,
    _ seed: UInt64
  ) {
    if (left.bytes == right.bytes) != (order == 0) {
      Issue.record("seed \(seed): one code for two values: \(left.bytes)")
    }
    // Only two truncated codes of one beginning may have another order than their values.
    if left.isCut, right.isCut, left.kept == right.kept { return }
    let isBefore = left.bytes.lexicographicallyPrecedes(right.bytes)
    if isBefore != (order < 0) {
      Issue.record("seed \(seed): order of \(left.bytes) and \(right.bytes)")
    }
  }

  @Test(arguments: [1, 2, 3])
  func anEntryOfLongValuesAndTheLongestKeyFitsLMDBsLimit(columns: Int) {
    let optional = ColumnDefinition(name: "c", storage: StorageType(.string, isOptional: true))
    let cut = KeyCode.longestKept([StorageType](repeating: optional.storage, count: columns))
    let code = optional.storage.code(of: .string(String(repeating: "x", count: 5_000)), cut: cut)
      .bytes
    #expect(code.count * columns + KeyCode.longestPrimaryKey <= KeyCode.longestKey)
  }

  @Test func cutTextsOfEquivalentSpellingsHaveOneCode() {
    let text = ColumnDefinition(name: "c", storage: StorageType(.string))
    let composed = String(repeating: "é", count: 300)
    let decomposed = String(repeating: "e\u{301}", count: 300)
    #expect(
      text.storage.code(of: .string(composed), cut: kept).bytes
        == text.storage.code(of: .string(decomposed), cut: kept).bytes)
  }

  @Test(
    arguments: [
      ("", 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d),
      ("a", 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964),
      ("foobar", 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18),
    ] as [(String, UInt128)])
  func theHashIsFNV1aWith128Bits(text: String, hash: UInt128) {
    #expect(Array(text.utf8).withUnsafeBytes { Checksum.FNV1a.hash($0) } == hash)
  }
}
