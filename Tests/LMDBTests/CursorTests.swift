import Foundation
import LMDB
import Testing
import TestSupport

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
    #expect(result.says("The cursor is on no row"))
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
}
