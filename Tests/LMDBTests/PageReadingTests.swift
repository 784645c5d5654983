import Foundation
import LMDB
import Testing

/// Read transactions read rows from their pages; whatever lies there, they give what was written.
@Suite struct PageReadingTests {
  private struct Row: Equatable {
    let key: [UInt8]
    let value: [UInt8]
  }

  /// A tree with rows of all sizes, some of them deleted again.
  private func fill(
    _ environment: Environment, _ random: inout SplitMix
  ) throws -> (Database, [Row]) {
    let longest = [2, 8, 40, 400, 9_000][Int(random.next() % 5)]
    var twin: [[UInt8]: [UInt8]] = [:]
    let database = try environment.write { try $0.openDatabase(named: "rows") }
    for _ in 0..<1 + Int(random.next() % 3) {
      try environment.write { transaction in
        for _ in 0..<Int(random.next() % 900) {
          let key = (0..<1 + Int(random.next() % 6)).map { _ in
            [0, 1, 0x7F, 0x80, 0xFF, 0x61][Int(random.next() % 6)] as UInt8
          }
          if random.next() % 4 == 0 {
            twin[key] = nil
            try transaction.delete(key.span.bytes, in: database)
          } else {
            let byte = UInt8(truncatingIfNeeded: random.next())
            let value = [UInt8](repeating: byte, count: Int(random.next() % UInt64(longest)))
            twin[key] = value
            try transaction.put(value.span.bytes, at: key.span.bytes, in: database)
          }
        }
      }
    }
    let rows = twin.map { Row(key: $0.key, value: $0.value) }
    return (database, rows.sorted { $0.key.lexicographicallyPrecedes($1.key) })
  }

  private func bound(_ rows: [Row], _ random: inout SplitMix) -> KeyRange.Bound {
    let some = rows.isEmpty ? [1] : rows[Int(random.next() % UInt64(rows.count))].key
    let key = random.next() % 2 == 0 ? some : Array(some.dropLast()) + [0x62]
    switch random.next() % 4 {
    case 0: return .unbounded
    case 1: return .exclusive(key)
    default: return .inclusive(key)
    }
  }

  private func isInside(_ key: [UInt8], _ range: KeyRange) -> Bool {
    let isAbove =
      switch range.lower {
      case .unbounded: true
      case .inclusive(let bytes): !key.lexicographicallyPrecedes(bytes)
      case .exclusive(let bytes): bytes.lexicographicallyPrecedes(key)
      }
    let isBelow =
      switch range.upper {
      case .unbounded: true
      case .inclusive(let bytes): !bytes.lexicographicallyPrecedes(key)
      case .exclusive(let bytes): key.lexicographicallyPrecedes(bytes)
      }
    return isAbove && isBelow
  }

  /// Reads a range in both directions and counts it, whole and up to bounds.
  private func check(
    _ database: Database, _ range: KeyRange, _ expected: [Row],
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ about: Comment
  ) throws {
    let forward = try transaction.rows(of: database, in: range)
    #expect(forward.map { Row(key: $0[0], value: $0[1]) } == expected, about)
    let backward = try transaction.rows(of: database, in: range, direction: .backward)
    #expect(backward.map { Row(key: $0[0], value: $0[1]) } == expected.reversed(), about)
    let count = try transaction.count(of: database, in: range, upTo: .max)
    #expect(count == expected.count, about)
    for bound in [0, 1, 10, 100, expected.count] {
      let some = try transaction.count(of: database, in: range, upTo: bound)
      #expect(some == expected.count || some > bound && some < expected.count, about)
    }
  }

  @Test func rowsAreThoseThatWereWritten() throws {
    var random = SplitMix.forTest("PageReadingTests")
    let seed = random.seed
    for _ in 0..<20 {
      let folder = TemporaryFolder()
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      let (database, rows) = try fill(environment, &random)
      for _ in 0..<30 {
        let range = KeyRange(lower: bound(rows, &random), upper: bound(rows, &random))
        let expected = rows.filter { isInside($0.key, range) }
        let about: Comment = "seed \(seed), \(range)"
        try environment.read { try check(database, range, expected, $0, about) }
        // Half of the pages are the writer's own here, which are not in the map.
        try environment.write { transaction in
          for row in rows.prefix(rows.count / 2) where random.next() % 8 == 0 {
            try transaction.put(row.value.span.bytes, at: row.key.span.bytes, in: database)
          }
          try check(database, range, expected, transaction, about)
        }
      }
    }
  }

  /// A body that wants no more, and one that goes on behind a whole block.
  @Test func aScanStopsWhereItIsAskedTo() throws {
    let folder = TemporaryFolder()
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    let database = try environment.write { transaction in
      let database = try transaction.openDatabase(named: "rows")
      for number in 0..<2_000 {
        let key = [UInt8(number >> 8), UInt8(number & 0xFF)]
        try transaction.put(key.span.bytes, at: key.span.bytes, in: database)
      }
      return database
    }
    try environment.read { transaction in
      for wanted in [1, 2, 16, 17, 80, 81, 500, 2_000] {
        for direction in [Direction.forward, .backward] {
          var numbers: [Int] = []
          try transaction.forEachBlock(of: database, in: .all, direction: direction) { block in
            for place in 0..<block.count {
              let key = block.key(at: place).array
              numbers.append(Int(key[0]) << 8 | Int(key[1]))
            }
            return numbers.count < wanted
          }
          let all = direction == .forward ? Array(0..<2_000) : (0..<2_000).reversed()
          #expect(numbers == Array(all.prefix(numbers.count)))
          #expect(numbers.count >= wanted && numbers.count <= wanted * 5 + 16)
        }
      }
    }
  }
}
