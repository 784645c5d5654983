import LMDB
import Testing
import TestSupport

/// Batches of sorted changes; where rows go between two others, these are moved so that pages are full.
@Suite struct SortedBatchTests {
  private let folder = TemporaryFolder()
  private let environment: Environment
  private let database: Database

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
    database = try environment.write { try $0.openDatabase(named: "d") }
  }

  @Test func aBatchWritesAndDeletesInOneGo() throws {
    try environment.write { transaction in
      for row in 0..<100 { try transaction.put("old", at: "\(100 + row)", in: database) }
      // Deletes every third, replaces the one after it, and appends past the end.
      let changes = (0..<120).compactMap { row -> (String, String?)? in
        switch row % 3 {
        case 0: ("\(100 + row)", nil)
        case 1: ("\(100 + row)", "new")
        default: row >= 100 ? ("\(100 + row)", "") : nil
        }
      }
      #expect(try transaction.apply(changes, to: database) == nil)
      for row in 0..<120 {
        let expected =
          switch row % 3 {
          case 0: nil
          case 1: "new"
          default: row >= 100 ? "" : "old"
          } as String?
        #expect(try transaction.text("\(100 + row)", in: database) == expected, "\(row)")
      }
    }
  }

  @Test func aBatchOutOfOrderIsNotWrong() throws {
    try environment.write { transaction in
      let keys = ["b", "a", "d", "c", "a"]
      _ = try transaction.apply(keys.map { ($0, "value") }, to: database)
      #expect(try transaction.keys(of: database) == ["a", "b", "c", "d"])
    }
  }

  @Test func aBatchOfInsertsStopsAtTheFirstKeyThatExists() throws {
    try environment.write { transaction in
      try transaction.put("old", at: "c", in: database)
      let rows = ["a", "b", "c", "d"].map { ($0, "new" as String?) }
      #expect(try transaction.apply(rows, to: database, .insert) == 2)
      #expect(try transaction.keys(of: database) == ["a", "b", "c"])
      #expect(try transaction.text("c", in: database) == "old")
      #expect(try transaction.apply([("d", "new"), ("e", "")], to: database, .insert) == nil)
      #expect(try transaction.apply([("f", "new"), ("f", "new")], to: database, .insert) == 1)
      #expect(try transaction.keys(of: database) == ["a", "b", "c", "d", "e", "f"])
    }
  }

  /// The C library divides a full page in the middle: such pages were half empty, or emptier.
  @Test(arguments: [1, 20])
  func rowsBetweenTwoOthersFillTheirPages(batches: Int) throws {
    let (value, rows) = (String(repeating: "v", count: 40), 20_000)
    try environment.write { transaction in
      for name in ["a", "z"] {
        let others = (0..<500).map { ("\(name)\(1000 + $0)", value as String?) }
        _ = try transaction.apply(others, to: database)
      }
    }
    for batch in 0..<batches {
      try environment.write { transaction throws in
        let own = (0..<rows / batches).map {
          ("m\(100_000 + batch * (rows / batches) + $0)", value as String?)
        }
        #expect(try transaction.apply(own, to: database) == nil)
      }
    }
    let statistics = try environment.read { try $0.statistics(of: database) }
    #expect(statistics.entries == 1000 + rows)
    // A row has its header of eight bytes, and two bytes that say where it is.
    let bytes = (1000 * 5 + rows * 7) + (1000 + rows) * (40 + 10)
    #expect(statistics.leafPages * 4080 < bytes * 11 / 10, "\(statistics)")
  }

  @Test func rowsThatWereMovedStayWhereTheBatchStops() throws {
    try environment.write { transaction in
      _ = try transaction.apply((0..<50).map { ("z\(10 + $0)", "old") }, to: database)
      let own = (0..<3000).map { ("m\(1000 + $0)", "new" as String?) }
      #expect(try transaction.apply(own + [("z10", "new")], to: database, .insert) == 3000)
      #expect(try transaction.count(of: database) == 3050)
      #expect(try transaction.text("z10", in: database) == "old")
    }
  }

  /// Rows are not moved past a long value, which has pages of its own, nor more of them than are put.
  @Test func rowsThatAreNotMovedStay() throws {
    try environment.write { transaction in
      let long = String(repeating: "z", count: 3000)
      _ = try transaction.apply([("z10", "old"), ("z11", long), ("z12", "old")], to: database)
      let tiny = (0..<200).map { ("p\(100 + $0)", "" as String?) }
      _ = try transaction.apply(tiny, to: database)
      let small = (0..<3000).map { ("q\(1000 + $0)", "new" as String?) }
      let large = (0..<40).map { ("o\(10 + $0)", String(repeating: "o", count: 600) as String?) }
      #expect(try transaction.apply(large + small, to: database) == nil)
      #expect(try transaction.count(of: database) == 3 + 200 + 3000 + 40)
      #expect(try transaction.text("z11", in: database) == long)
      #expect(try transaction.keys(of: database) == transaction.keys(of: database).sorted())
    }
  }

  @Test func rowsThatWereMovedStayWhereAChangeFails() throws {
    try environment.write { transaction in
      _ = try transaction.apply((0..<50).map { ("z\(10 + $0)", "old") }, to: database)
      let tooLong = "n" + String(repeating: "n", count: 600)
      let own = (0..<2000).map { ("m\(1000 + $0)", "new" as String?) }
      let error = lmdbError {
        _ = try transaction.apply(own + [(tooLong, "new"), ("o", "new")], to: database)
      }
      #expect(error?.code == .badLength)
      #expect(try transaction.count(of: database) == 2050)
    }
  }

  /// Random batches leave what a dictionary has, also in nested transactions that are taken back.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func batchesDoWhatADictionaryDoes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var twin: [String: String] = [:]
    for _ in 0..<8 {
      let isKept = Int.random(in: 0..<4, using: &random) > 0
      var next = twin
      try environment.write { transaction in
        let before = twin
        let changes = Self.changes(before, &random)
        let mode: WriteTransaction.PutMode = Bool.random(using: &random) ? .insert : .upsert
        let stop = changes.firstIndex {
          mode == .insert && $0.value != nil && before[$0.key] != nil
        }
        var nested = try transaction.beginNested()
        #expect(try nested.apply(changes, to: database, mode) == stop)
        if isKept { try nested.commit() } else { nested.abort() }
        for change in changes[..<(stop ?? changes.count)] { next[change.key] = change.value }
      }
      if isKept { twin = next }
      let rows = try environment.read { transaction in
        try transaction.keys(of: database).map { ($0, try transaction.text($0, in: database)) }
      }
      try #require(rows.map(\.0) == twin.keys.sorted(), "seed \(seed)")
      #expect(rows.allSatisfy { twin[$0.0] == $0.1 }, "seed \(seed)")
    }
  }

  /// Ascending changes: few or many, some of them between two rows of the tree, with short and long values.
  private static func changes(
    _ twin: [String: String], _ random: inout SeededGenerator
  ) -> [(key: String, value: String?)] {
    var changes: [String: String?] = [:]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0..<800_000, using: &random)
      let step = Bool.random(using: &random) ? 1 : 7
      let length = [0, 5, 60, 500].randomElement(using: &random) ?? 0
      for place in 0..<Int.random(in: 1...900, using: &random) {
        let isLong = Int.random(in: 0..<300, using: &random) == 0
        let value = String(repeating: "v", count: isLong ? 3000 : length) + "\(place)"
        changes["\(100_000 + start + place * step)"] = .some(value)
      }
    }
    for key in twin.keys.sorted() where Int.random(in: 0..<20, using: &random) == 0 {
      changes[key] = .some(nil)
    }
    return changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension WriteTransaction {
  /// Applies a batch of text; no value means a deletion.
  fileprivate mutating func apply(
    _ changes: [(key: String, value: String?)], to database: Database, _ mode: PutMode = .upsert
  ) throws -> Int? {
    try Self.withSteps(changes) { try apply($0, to: database, mode: mode) }
  }

  private static func withSteps<R>(
    _ changes: [(key: String, value: String?)],
    _ body: (UnsafeBufferPointer<WriteTransaction.SortedChange>) throws -> R
  ) throws -> R {
    // One buffer that all changes point into.
    var bytes: [UInt8] = []
    var places: [(Int, Int, Int, Bool)] = []
    for (key, value) in changes {
      places.append((bytes.count, key.utf8.count, value?.utf8.count ?? 0, value == nil))
      bytes += key.utf8
      bytes += (value ?? "").utf8
    }
    bytes.append(0)
    return try bytes.withUnsafeBytes { buffer in
      let start = try #require(buffer.baseAddress)
      let sorted = places.map { offset, keyCount, valueCount, isDelete in
        WriteTransaction.SortedChange(
          keyStart: start + offset, keyCount: keyCount,
          valueStart: start + offset + keyCount, valueCount: valueCount, isDelete: isDelete)
      }
      return try sorted.withUnsafeBufferPointer(body)
    }
  }
}
