import LMDB
import Testing

@Suite struct CursorTests {
  let folder = TemporaryFolder()
  let environment: Environment
  let database: Database

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
    database = try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      for key in ["a", "b", "c", "d", "e"] {
        try transaction.put("value of \(key)", at: key, in: database)
      }
      return database
    }
  }

  @Test func aCursorTurnsRoundAtItsEnds() throws {
    try environment.read { transaction in
      try transaction.withCursor(in: database, over: .closed("b".bytes, "d".bytes)) { cursor in
        var path = ""
        func note(_ key: String?) { path += key ?? "." }
        for _ in 0..<5 { note(try cursor.next()?.key.text) }
        for _ in 0..<5 { note(try cursor.previous()?.key.text) }
        note(try cursor.next()?.key.text)
        #expect(path == "bcd..dcb..b")
      }
    }
  }

  @Test func aRowHasItsKeyAndItsValue() throws {
    try environment.read { transaction in
      try transaction.withCursor(in: database) { cursor in
        let key = "bb".bytes
        let row = try cursor.seek(key.span.bytes)
        let (found, value) = (row?.key.text, row?.value.text)
        #expect(found == "c")
        #expect(value == "value of c")
      }
    }
  }

  @Test func anEmptyDatabaseHasNoRows() throws {
    try environment.write { transaction in
      let empty = try transaction.openDatabase(named: "empty")
      try transaction.withCursor(in: empty) { cursor in
        let found = [
          try cursor.first() != nil, try cursor.last() != nil, try cursor.next() != nil,
          try cursor.previous() != nil, try cursor.seek("a".bytes.span.bytes) != nil,
        ]
        #expect(found == [false, false, false, false, false])
      }
    }
  }

  @Test func aWriteCursorDeletesWhereItStands() throws {
    try environment.write { transaction in
      try transaction.withWriteCursor(in: database) { cursor in
        #expect(try !cursor.delete())
        while let key = try cursor.next()?.key.text {
          if key == "b" || key == "c" || key == "e" { #expect(try cursor.delete()) }
        }
        #expect(try !cursor.delete())
      }
      #expect(try transaction.keys(of: database) == ["a", "d"])
    }
  }

  @Test func aWriteCursorGoesBackFromADeletedRow() throws {
    try environment.write { transaction in
      try transaction.withWriteCursor(in: database) { cursor in
        _ = try cursor.seek("c".bytes.span.bytes)
        try cursor.delete()
        #expect(try !cursor.delete())
        let before = try cursor.previous()?.key.text
        #expect(before == "b")
        let after = try cursor.next()?.key.text
        #expect(after == "d")
      }
    }
  }

  @Test func deletingEveryRowThroughACursorEmptiesTheTree() throws {
    try environment.write { transaction in
      for row in 0..<2_000 { try transaction.put("", at: "x\(row)", in: database) }
      let deleted = try transaction.withWriteCursor(in: database) { cursor in
        var deleted = 0
        while try cursor.next() != nil { deleted += try cursor.delete() ? 1 : 0 }
        return deleted
      }
      #expect(deleted == 2_005)
      #expect(try transaction.count(of: database) == 0)
    }
  }

  @Test func aWriteCursorWritesAndStandsThere() throws {
    try environment.write { transaction in
      try transaction.withWriteCursor(in: database) { cursor in
        try cursor.put("1".bytes.span.bytes, at: "bb".bytes.span.bytes)
        let next = try cursor.next()?.key.text
        #expect(next == "c")
        #expect(try !cursor.put("2".bytes.span.bytes, at: "a".bytes.span.bytes, mode: .insert))
        try cursor.put("3".bytes.span.bytes, at: "f".bytes.span.bytes, mode: .append)
        let error = lmdbError {
          try cursor.put("4".bytes.span.bytes, at: "f".bytes.span.bytes, mode: .append)
        }
        #expect(error?.code == .keyExists)
      }
      #expect(try transaction.keys(of: database) == ["a", "b", "bb", "c", "d", "e", "f"])
      #expect(try transaction.text("a", in: database) == "value of a")
    }
  }
}
