import Foundation
import LMDB
import Testing
import TestSupport

@Suite struct RowBlockTests {
  let folder = TemporaryFolder()
  let environment: Environment
  let database: Database

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
    database = try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      for row in 0..<1_000 {
        let value = String(repeating: "v", count: row % 13 == 0 ? 6_000 : row % 13)
        try transaction.put(value, at: "\(1_000 + row)", in: database)
      }
      return database
    }
  }

  @Test func aScanHandsOutEveryRowOnceInBlocks() throws {
    try environment.read { transaction in
      var counts: [Int] = []
      var row = 0
      try transaction.forEachBlock(of: database) { block in
        counts.append(block.count)
        for index in 0..<block.count {
          #expect(block.key(at: index).text == "\(1_000 + row)")
          #expect(block.value(at: index).byteCount == (row % 13 == 0 ? 6_000 : row % 13))
          row += 1
        }
        return true
      }
      #expect(counts == [16, 64, 256, 256, 256, 152])
    }
  }

  /// Where values are long, few rows are on a page, and sixteen on several.
  @Test func theFirstBlockHasAsManyRowsAsAreAskedFor() throws {
    func counts(_ transaction: borrowing some Transaction & ~Copyable) throws -> [Int] {
      var counts: [Int] = []
      var row = 0
      try transaction.forEachBlock(
        of: database, in: .all, direction: .forward, rowsInFirst: 1
      ) { block in
        counts.append(block.count)
        for index in 0..<block.count {
          #expect(block.key(at: index).text == "\(1_000 + row)")
          row += 1
        }
        return true
      }
      return counts
    }
    let expected = [1, 4, 16, 64, 256, 256, 256, 147]
    #expect(try environment.read { try counts($0) } == expected)
    try environment.write { transaction in
      #expect(try counts(transaction) == expected)
      // The pages of a changed tree are read by the C library.
      try transaction.put("v", at: "1000", in: database)
      #expect(try counts(transaction) == expected)
    }
  }

  @Test func theEntriesOfABlockAreItsRows() throws {
    try environment.read { transaction in
      try transaction.forEachBlock(of: database, direction: .backward) { block in
        unsafe #expect(block.entries.count == block.count)
        for index in 0..<block.count {
          let entry = unsafe block.entries[index]
          let key = unsafe Array(
            UnsafeRawBufferPointer(start: entry.keyStart, count: entry.keyCount))
          let value = unsafe Array(
            UnsafeRawBufferPointer(start: entry.valueStart, count: entry.valueCount))
          #expect(key == block.key(at: index).array)
          #expect(value == block.value(at: index).array)
        }
        return true
      }
    }
  }

  @Test func aBodyThatWantsNoMoreGetsNoMore() throws {
    try environment.read { transaction in
      var blocks = 0
      try transaction.forEachBlock(of: database) { _ in
        blocks += 1
        return blocks < 2
      }
      #expect(blocks == 2)
    }
  }

  @Test func anEmptyRangeHasNoBlock() throws {
    try environment.read { transaction in
      try transaction.forEachBlock(of: database, in: .prefix("9".bytes)) { _ in
        Issue.record("A block of nothing.")
        return true
      }
    }
  }

  @Test func aThrowingBodyEndsTheScan() throws {
    struct Enough: Error {}
    try environment.read { transaction in
      #expect(throws: Enough.self) {
        try transaction.forEachBlock(of: database) { _ in throw Enough() }
      }
      let count = try transaction.count(of: database)
      #expect(count == 1_000)
    }
  }

  @Test func aScanInsideAScanIsFine() throws {
    try environment.read { transaction in
      var pairs = 0
      try transaction.forEachBlock(of: database, in: .prefix("19".bytes)) { outer in
        try transaction.forEachBlock(of: database, in: .prefix("18".bytes)) { inner in
          pairs += outer.count * inner.count
          return true
        }
        return true
      }
      #expect(pairs == 100 * 100)
    }
  }

  @Test func aWriteTransactionScansWhatItWrote() throws {
    try environment.write { transaction in
      try transaction.put("new", at: "1000", in: database)
      try transaction.delete("1001".bytes.span.bytes, in: database)
      let rows = try transaction.rows(of: database, in: .prefix("100".bytes))
      #expect(rows.first?[1] == "new".bytes)
      #expect(rows.count == 9)
    }
  }

  @Test func anIndexPastABlockTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.read { transaction in
        guard let database = try transaction.database(named: "d") else { exit(0) }
        try transaction.forEachBlock(of: database) { block in
          _ = block.key(at: block.count).byteCount
          return false
        }
      }
    }
    #expect(result.says("A row's index is between"))
  }
}
