import LMDB
import Testing
import TestSupport

/// Replacing and deleting a row that was just found, against a dictionary.
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

  /// Keys in order and in none, deleted twice, with a look at all rows before and between changes.
  @Test func deletingWhatWasFoundDoesWhatASearchDoes() throws {
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    let database = try environment.write { try $0.openDatabase(named: "d") }
    var random = SeededGenerator.forTest("deleting")
    var expected: [String: String] = [:]
    for step in 0..<40 {
      try environment.write { transaction throws in
        for number in 0..<200 where random.oneIn(2) {
          try transaction.put("value", at: "key \(number)", in: database)
          expected["key \(number)"] = "value"
        }
      }
      try environment.write { transaction throws in
        var keys = (0..<200).map { "key \($0)" }.sorted()
        if step % 2 == 1 { keys.shuffle(using: &random) }
        for key in keys where random.oneIn(2) {
          if random.oneIn(16) {
            #expect(try transaction.keys(of: database) == expected.keys.sorted())
            let count = try transaction.count(of: database, in: .all, upTo: .max)
            #expect(count == expected.count)
          }
          let isThere = try transaction.find(key.bytes.span.bytes, in: database) != nil
          #expect(isThere == (expected[key] != nil))
          if random.oneIn(4) { try disturb(&transaction, database, &random, &expected) }
          for _ in 0..<2 {
            let isDeleted = try transaction.delete(key.bytes.span.bytes, in: database)
            #expect(isDeleted == (expected.removeValue(forKey: key) != nil))
          }
        }
        #expect(try transaction.keys(of: database) == expected.keys.sorted())
      }
      #expect(try environment.read { try $0.keys(of: database) } == expected.keys.sorted())
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
    case 4:
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try transaction.nested { inner in
          try inner.put("undone", at: other, in: database)
          throw Stop()
        }
      }
    default: break
    }
  }

  /// An empty key was taken for that of the row that the cursor was on, which was deleted.
  @Test func anEmptyKeyIsNoKeyThatWasFound() throws {
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    let database = try environment.write { try $0.openDatabase(named: "d") }
    try environment.write { transaction in
      for key in ["a", "b", "c"] { try transaction.put("value", at: key, in: database) }
    }
    try environment.write { transaction in
      try transaction.put("value", at: "b", in: database)
      let (some, value) = ("x".bytes, "new".bytes)
      let empty = some.span.bytes.extracting(0..<0)
      let codes = [
        lmdbError { _ = try transaction.delete(empty, in: database) }?.code,
        lmdbError { try transaction.replace(value.span.bytes, at: empty, in: database) }?.code,
      ]
      #expect(codes == [.badLength, .badLength])
    }
    #expect(try environment.read { try $0.keys(of: database) } == ["a", "b", "c"])
  }
}
