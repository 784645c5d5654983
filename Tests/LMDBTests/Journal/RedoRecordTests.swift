import Testing

@testable import LMDB

@Suite struct RedoRecordTests {
  private func note(
    _ record: RedoRecord, _ kind: RedoRecord.Kind, _ key: String, _ value: String = "",
    in tree: UInt32 = 2
  ) {
    key.bytes.withUnsafeBytes { key in
      value.bytes.withUnsafeBytes { value in
        unsafe record.note(kind, key, value, in: tree) { "tree \(tree)" }
      }
    }
  }

  private func described(_ record: RedoRecord) throws -> [String] {
    try #require(RedoRecord.parse(record.operations)).map {
      "\($0.kind) \($0.tree) \(String(decoding: $0.key, as: UTF8.self)) "
        + String(decoding: $0.value, as: UTF8.self)
    }
  }

  @Test func operationsAreReadAsTheyWereNoted() throws {
    let record = RedoRecord()
    record.begin()
    note(record, .put, "a", "1")
    note(record, .delete, "b")
    note(record, .empty, "", in: 3)
    note(record, .put, "c", "", in: 2)
    #expect(
      try described(record) == [
        "tree 2 tree 2 ", "put 2 a 1", "delete 2 b ", "tree 3 tree 3 ", "empty 3  ", "put 2 c ",
      ])
  }

  @Test func anAbortedNestedTransactionTakesItsOperationsBack() throws {
    let record = RedoRecord()
    record.begin()
    note(record, .put, "a", "1")
    record.beginNested()
    note(record, .put, "b", "2", in: 3)
    record.beginNested()
    note(record, .put, "c", "3", in: 4)
    record.endNested(isCommitted: true)
    record.endNested(isCommitted: false)
    note(record, .put, "d", "4", in: 3)
    #expect(
      try described(record) == ["tree 2 tree 2 ", "put 2 a 1", "tree 3 tree 3 ", "put 3 d 4"])
  }

  @Test func whatDoesNotFitLeavesTheRecordPartial() {
    let record = RedoRecord()
    for count in [RedoRecord.mostBytes - 100, RedoRecord.mostBytes] {
      record.begin()
      note(record, .put, "a", String(repeating: "x", count: count))
      #expect(record.isPartial == (count == RedoRecord.mostBytes))
      #expect(record.operations.isEmpty == record.isPartial)
    }
    record.beginNested()
    record.endNested(isCommitted: false)
    #expect(record.isPartial)
    // The name of the tree counts: a record that is too long could not be read.
    for count in RedoRecord.mostBytes - 60..<RedoRecord.mostBytes {
      record.begin()
      note(record, .put, "a", String(repeating: "x", count: count))
      #expect(record.operations.count <= RedoRecord.mostBytes)
    }
    record.begin()
    #expect(!record.isPartial)
  }

  @Test func nothingIsNotedOutsideARecord() {
    let record = RedoRecord()
    note(record, .put, "a", "1")
    record.begin()
    record.end()
    note(record, .put, "a", "1")
    record.skip()
    #expect(record.operations.isEmpty && !record.isPartial)
  }

  @Test func damagedOperationsAreNotRead() throws {
    let record = RedoRecord()
    record.begin()
    note(record, .put, "a", "1")
    #expect(RedoRecord.parse(Array(record.operations.dropLast())) == nil)
    #expect(RedoRecord.parse([9] + record.operations) == nil)
  }

  @Test func theCheckIsTheStandardsOwn() {
    // RFC 3720, appendix B.4.
    #expect(CRC32C.of("123456789".bytes[...]) == 0xE306_9283)
    #expect(CRC32C.of([UInt8](repeating: 0, count: 32)[...]) == 0x8A91_36AA)
    #expect(CRC32C.of(Array(0..<32)[...]) == 0x46DD_794E)
  }

  // A journal that one processor has written may be replayed by another one.
  @Test func theProcessorsInstructionGivesTheSameCheck() {
    let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
    for start in 0..<9 {
      for end in start...bytes.count {
        var (check, byTable) = (CRC32C(), CRC32C())
        for part in [bytes[..<start], bytes[start..<end]] {
          check.add(part.span.bytes)
          byTable.addByTable(part.span.bytes)
        }
        #expect(check.value == byTable.value, "\(start)..<\(end)")
      }
    }
  }
}
