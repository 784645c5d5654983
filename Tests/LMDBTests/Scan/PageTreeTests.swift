import Foundation
import LMDB
import Testing
import TestSupport

/// Read transactions read rows from their pages, and return the written values.
@Suite struct PageTreeTests {
  private struct Row: Equatable {
    let key: [UInt8]
    let value: [UInt8]
  }

  /// A tree with rows of all sizes, some of them deleted again.
  private func fill(
    _ environment: Environment, _ random: inout SeededGenerator
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

  private func bound(_ rows: [Row], _ random: inout SeededGenerator) -> KeyRange.Bound {
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
    var random = SeededGenerator.forTest("PageTreeTests")
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

  /// Keys of a word and more are sought first where they would be if all were at even distances.
  @Test(arguments: ["counting", "squares", "powers", "random", "equal words"])
  func keysAreFoundHoweverTheyAreSpread(_ spread: String) throws {
    let folder = TemporaryFolder()
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    let database = try environment.write { try $0.openDatabase(named: "rows") }
    var random = SeededGenerator.forTest(spread)
    let keys = (UInt64(1)...3_000).map { place in
      let number =
        switch spread {
        case "counting": place
        case "squares": place * place
        case "powers": place << (place % 50)
        case "random": random.next()
        default: place / 100
        }
      let end = spread == "equal words" || place % 3 == 0 ? [UInt8(place % 100)] : []
      return withUnsafeBytes(of: number.bigEndian) { Array($0) } + end
    }
    let stored = Set(keys.filter { _ in random.next() % 2 == 0 })
    try environment.write { transaction in
      for key in stored { try transaction.put(key.span.bytes, at: key.span.bytes, in: database) }
    }
    try environment.read { transaction in
      for key in keys {
        let found = try transaction.get(key.span.bytes, in: database)?.array
        #expect(found == (stored.contains(key) ? key : nil))
      }
    }
  }

  /// Two of 269,823 files with a flipped byte brought a row twice, and one that had been replaced.
  ///
  /// The byte was of an offset in a page's list of rows: other rows of the page, and those that are
  /// left in its free space, are as whole as the one that it led to before.
  @Test func anOffsetThatLeadsToAnotherRowIsDamage() throws {
    let folder = TemporaryFolder()
    let file = URL(filePath: folder.path())
    let keys = (10..<70).map { "key \($0)" }
    var rows: [String: String] = [:]
    do {
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      let database = try environment.write { try $0.openDatabase(named: "rows") }
      try environment.write { tx in
        for key in keys { try tx.put("value 1 of \(key)", at: key, in: database) }
      }
      try environment.write { tx in
        for (place, key) in keys.enumerated() {
          rows[key] = place % 5 == 0 ? "value 2 of \(key)" : "value 1 of \(key)"
          if place % 5 == 0 { try tx.put("value 2 of \(key)", at: key, in: database) }
          if place % 3 == 0 {
            rows[key] = nil
            try tx.delete(key.bytes.span.bytes, in: database)
          }
        }
      }
    }
    let expected = rows.sorted { $0.key < $1.key }.map { [$0.key.bytes, $0.value.bytes] }
    let bytes = [UInt8](try Data(contentsOf: file))
    var refused = 0
    for page in stride(from: 2 * 4_096, to: bytes.count, by: 4_096) {
      let flags = Int(bytes[page + 10]) + Int(bytes[page + 11]) << 8
      let listBytes = Int(bytes[page + 12]) + Int(bytes[page + 13]) << 8 - 16
      guard flags == 2, listBytes > 30 else { continue }
      for place in 0..<listBytes {
        for bit in [0x01, 0x02, 0x08, 0x40] as [UInt8] {
          var changed = bytes
          changed[page + 16 + place] ^= bit
          try Data(changed).write(to: file)
          let about: Comment = "bit \(bit) of byte \(page + 16 + place)"
          do {
            let environment = try Environment.open(at: folder.path(), options: .forTests())
            try environment.read { tx in
              let database = try #require(try tx.database(named: "rows"))
              for key in keys {
                let value = try tx.text(key, in: database)
                #expect(value == nil || value == rows[key], about)
              }
              #expect(try tx.rows(of: database) == expected, about)
            }
          } catch let error as LMDBError {
            #expect(error.code == .corrupted, about)
            refused += 1
          }
        }
      }
    }
    #expect(refused > 50)
  }

  /// One changed bit ended a range early: it made an offset lead to a row past the range, and the rows
  /// after it were taken for rows past it too.
  @Test func anOffsetThatLeadsPastARangeIsDamage() throws {
    let folder = TemporaryFolder()
    let file = URL(filePath: folder.path())
    let keys = (10..<40).map { "key \($0)" }
    do {
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try environment.write { tx in
        let database = try tx.openDatabase(named: "rows")
        for key in keys { try tx.put("the value of \(key)", at: key, in: database) }
      }
    }
    var bytes = [UInt8](try Data(contentsOf: file))
    let leaf = try #require(
      stride(from: 2 * 4_096, to: bytes.count, by: 4_096).first { page in
        bytes[page + 10] == 2 && bytes[page + 12] == UInt8(16 + 2 * keys.count)
      })
    let (seventh, later) = (leaf + 16 + 2 * 7, leaf + 16 + 2 * 15)
    bytes[seventh] = bytes[later]
    bytes[seventh + 1] = bytes[later + 1]
    try Data(bytes).write(to: file)
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    try environment.read { tx in
      let database = try #require(try tx.database(named: "rows"))
      for last in 7..<30 {
        let range = KeyRange(
          lower: .inclusive(keys[0].bytes), upper: .inclusive(keys[last].bytes))
        #expect { try tx.rows(of: database, in: range) } throws: {
          ($0 as? LMDBError)?.code == .corrupted
        }
      }
    }
  }

  /// A body that wants no more, and one that continues after a whole block.
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
        for direction in [KeyRange.Direction.forward, .backward] {
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
