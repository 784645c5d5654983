import LMDB
import Testing
import TestSupport

@Suite struct WriteTransactionTests {
  let folder = TemporaryFolder()
  let environment: Environment
  let database: Database

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
    database = try environment.write { try $0.openDatabase(named: "d") }
  }

  @Test func anUpsertReplacesAndAnInsertDoesNot() throws {
    try environment.write { transaction throws in
      #expect(try transaction.put("1", at: "b", in: database, mode: .insert))
      #expect(try transaction.put("2", at: "b", in: database, mode: .upsert))
      #expect(try !transaction.put("3", at: "b", in: database, mode: .insert))
      #expect(try transaction.put("4", at: "a", in: database, mode: .insert))
      #expect(try !transaction.put("5", at: "a", in: database, mode: .insert))
      #expect(try transaction.text("b", in: database) == "2")
      #expect(try transaction.text("a", in: database) == "4")
      #expect(try transaction.count(of: database) == 2)
    }
  }

  /// The writer's copy of the last key outlives the key: a put past the real one is an append, or not,
  /// and one past the copy is an append, which the next put must know of.
  @Test func aPutFollowsTheLastKeyThatIsLeft() throws {
    try environment.write { transaction in
      for key in ["a", "z"] { try transaction.put("", at: key, in: database) }
      try transaction.delete("z".bytes.span.bytes, in: database)
      try transaction.put("", at: "m", in: database)
      #expect(try transaction.keys(of: database) == ["a", "m"])
      for key in ["zz", "zy"] { try transaction.put("", at: key, in: database) }
      #expect(try transaction.keys(of: database) == ["a", "m", "zy", "zz"])
    }
  }

  /// The writer remembers the last key, which other ways of writing change as well.
  @Test func theLastKeyIsFollowedThroughEveryWayOfWriting() throws {
    try environment.write { transaction in
      try transaction.put("", at: "m", in: database)
      try transaction.put("z", at: "z", in: database)
      try transaction.put("", at: "p", in: database)
      try transaction.nested { try $0.put("", at: "zz", in: database) }
      try transaction.put("", at: "za", in: database)
      try transaction.delete("zz".bytes.span.bytes, in: database)
      try transaction.put("", at: "zb", in: database)
      try transaction.deleteRange(KeyRange(lower: .inclusive("n".bytes)), in: database)
      try transaction.put("", at: "n", in: database)
      #expect(try transaction.keys(of: database) == ["m", "n"])
      try transaction.empty(database)
      try transaction.put("", at: "b", in: database)
      try transaction.put("", at: "a", in: database)
      #expect(try transaction.keys(of: database) == ["a", "b"])
    }
  }

  @Test func ascendingKeysFillTheirPages() throws {
    try environment.write { transaction in
      let value = [UInt8](repeating: 7, count: 64)
      for row in UInt32(0)..<10_000 {
        let key = withUnsafeBytes(of: row.bigEndian) { Array($0) }
        try transaction.put(value.span.bytes, at: key.span.bytes, in: database, mode: .insert)
      }
    }
    // 10,000 rows of 76 bytes and 2 for the offset take 191 pages when they are full, twice
    // that when halved.
    #expect(try environment.fileBytes < 210 * 4_096)
  }

  @Test func deletingAMissingKeyIsHarmless() throws {
    try environment.write { transaction in
      #expect(try !transaction.delete("key".bytes.span.bytes, in: database))
      try transaction.put("value", at: "key", in: database)
      #expect(try transaction.delete("key".bytes.span.bytes, in: database))
      #expect(try !transaction.delete("key".bytes.span.bytes, in: database))
      #expect(try transaction.count(of: database) == 0)
    }
  }

  @Test func deletingAllRowsTellsHowMany() throws {
    try environment.write { transaction in
      for row in 0..<500 { try transaction.put("", at: "\(row)", in: database) }
      #expect(try transaction.deleteRange(.all, in: database) == 500)
      #expect(try transaction.deleteRange(.all, in: database) == 0)
      #expect(try transaction.count(of: database) == 0)
    }
  }

  @Test func keysHaveOneByteToTheMost() throws {
    #expect(environment.maxKeyBytes == 511)
    try environment.write { transaction in
      for count in [0, 512] {
        let key = [UInt8](repeating: 7, count: count)
        let error = lmdbError {
          try transaction.put(key.span.bytes, at: key.span.bytes, in: database)
        }
        #expect(error?.code == .badLength, "\(count)")
      }
      for count in [1, 511] {
        let key = [UInt8](repeating: 7, count: count)
        try transaction.put(key.span.bytes, at: key.span.bytes, in: database)
        #expect(try transaction.get(key.span.bytes, in: database)?.byteCount == count)
      }
      let long = [UInt8](repeating: 7, count: 600)
      let isFound = try transaction.get(long.span.bytes, in: database) != nil
      #expect(!isFound)
    }
  }
}
