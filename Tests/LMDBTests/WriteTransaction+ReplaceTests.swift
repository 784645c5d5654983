import LMDB
import Testing
import TestSupport

/// Replacing a row that was just found, against a dictionary.
@Suite struct WriteTransactionReplaceTests {
  let folder = TemporaryFolder()

  /// Between finding and replacing the cursor moves, rows go and pages split, as it happens.
  ///
  /// Half of the keys are the next ones in order, which need no search.
  @Test func replacingDoesWhatAPutDoes() throws {
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    let database = try environment.write { try $0.openDatabase(named: "d") }
    var random = SeededGenerator.forTest("replacing")
    var expected: [String: String] = [:]
    var last = ""
    for _ in 0..<20 {
      try environment.write { transaction throws in
        for _ in 0..<300 {
          let next = expected.keys.filter { $0 > last }.min()
          let key = next.flatMap { random.below(2) == 0 ? $0 : nil } ?? "key \(random.below(200))"
          last = key
          let value = String(repeating: "v", count: random.below(8) == 0 ? 5_000 : random.below(90))
          let found = try transaction.find(key.bytes.span.bytes, in: database)?.array
          #expect(found == expected[key]?.bytes)
          try disturb(&transaction, database, &random, &expected)
          try transaction.replace(
            value.bytes.span.bytes, at: key.bytes.span.bytes, in: database)
          expected[key] = value
          #expect(try transaction.text(key, in: database) == value)
        }
      }
      try environment.read { transaction throws in
        #expect(try transaction.keys(of: database) == expected.keys.sorted())
        for (key, value) in expected {
          #expect(try transaction.text(key, in: database) == value)
        }
      }
    }
  }

  private func disturb(
    _ transaction: inout WriteTransaction, _ database: Database, _ random: inout SeededGenerator,
    _ expected: inout [String: String]
  ) throws {
    let other = "key \(random.below(200))"
    switch random.below(6) {
    case 0:
      try transaction.delete(other.bytes.span.bytes, in: database)
      expected[other] = nil
    case 1:
      try transaction.put("other", at: other, in: database)
      expected[other] = "other"
    case 2:
      _ = try transaction.find(other.bytes.span.bytes, in: database) != nil
    case 3:
      try transaction.nested { inner in _ = try inner.put("nested", at: other, in: database) }
      expected[other] = "nested"
    default: break
    }
  }
}
