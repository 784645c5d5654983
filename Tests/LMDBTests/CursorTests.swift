import Foundation
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
        for _ in 0..<5 { path += try cursor.next() ? cursor.key.text : "." }
        for _ in 0..<5 { path += try cursor.previous() ? cursor.key.text : "." }
        path += try cursor.next() ? cursor.key.text : "."
        #expect(path == "bcd..dcb..b")
      }
    }
  }

  @Test func aRowHasItsKeyAndItsValue() throws {
    try environment.read { transaction in
      try transaction.withCursor(in: database) { cursor in
        try cursor.seek("bb".bytes.span.bytes)
        let (key, value) = (cursor.key.text, cursor.value.text)
        #expect(key == "c")
        #expect(value == "value of c")
      }
    }
  }

  @Test func lookingWithoutARowTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.read { transaction in
        guard let database = try transaction.database(named: "d") else { exit(0) }
        try transaction.withCursor(in: database) { print($0.key.byteCount) }
      }
    }
    #expect(result.says("The cursor stands on no row"))
  }

  @Test func anEmptyDatabaseHasNoRows() throws {
    try environment.write { transaction in
      let empty = try transaction.openDatabase(named: "empty")
      try transaction.withCursor(in: empty) { cursor in
        let found = [
          try cursor.first(), try cursor.last(), try cursor.next(), try cursor.previous(),
          try cursor.seek("a".bytes.span.bytes),
        ]
        #expect(!found.contains(true))
      }
    }
  }

  @Test func aWriteCursorDeletesWhereItStands() throws {
    try environment.write { transaction in
      try transaction.withWriteCursor(in: database) { cursor in
        #expect(try !cursor.delete())
        while try cursor.next() {
          if ["b", "c", "e"].contains(cursor.key.text) { #expect(try cursor.delete()) }
        }
        #expect(try !cursor.delete())
      }
      #expect(try transaction.keys(of: database) == ["a", "d"])
    }
  }

  @Test func aWriteCursorGoesBackFromADeletedRow() throws {
    try environment.write { transaction in
      try transaction.withWriteCursor(in: database) { cursor in
        try cursor.seek("c".bytes.span.bytes)
        try cursor.delete()
        #expect(try !cursor.delete())
        let before = try cursor.previous() ? cursor.key.text : nil
        #expect(before == "b")
        let after = try cursor.next() ? cursor.key.text : nil
        #expect(after == "d")
      }
    }
  }

  @Test func deletingEveryRowThroughACursorEmptiesTheTree() throws {
    try environment.write { transaction in
      for row in 0..<2_000 { try transaction.put("", at: "x\(row)", in: database) }
      let deleted = try transaction.withWriteCursor(in: database) { cursor in
        var deleted = 0
        while try cursor.next() { deleted += try cursor.delete() ? 1 : 0 }
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
        let written = cursor.key.text + cursor.value.text
        #expect(written == "bb1")
        let next = try cursor.next() ? cursor.key.text : nil
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
