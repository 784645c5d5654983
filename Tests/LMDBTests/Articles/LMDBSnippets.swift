import LMDB
import Testing
import TestSupport

/// The code of the module's articles.
@Suite struct LMDBSnippets {
  private let folder = TemporaryFolder()
  private let name = "Ada".bytes
  private let id = "1".bytes
  private var path: String { folder.path() }

  @Test func theFirstPagesExampleRuns() throws {
    let environment = try Environment.open(at: path)
    try environment.write { transaction in
      let people = try transaction.openDatabase(named: "people")
      try transaction.put(name.span.bytes, at: id.span.bytes, in: people)
    }
    let length = try environment.read { transaction in
      guard let people = try transaction.database(named: "people") else { return 0 }
      return try transaction.get(id.span.bytes, in: people)?.byteCount ?? 0
    }
    #expect(length == 3)
  }

  @Test func aBusyWriterIsCaughtByItsCode() throws {
    let environment = try Environment.open(at: path, options: .forTests())
    let people = try environment.write { transaction in
      let people = try transaction.openDatabase(named: "people")
      try transaction.put(name.span.bytes, at: id.span.bytes, in: people)
      return people
    }
    let held = HeldTransaction.writing(environment)

    do {
      try environment.write { try $0.empty(people) }
    } catch LMDBError.Code.busy {
      // Another writer was at work for longer than the options allow.
    }

    held.end()
    #expect(try environment.read { try $0.count(of: people) } == 1)
  }

  @Test func aSpanInABlockOfItsOwnEndsBeforeTheWrite() throws {
    let environment = try Environment.open(at: path, options: .forTests())
    var total = 0
    try environment.write { transaction in
      let people = try transaction.openDatabase(named: "people")
      try transaction.put(name.span.bytes, at: id.span.bytes, in: people)
      let bytes = id
      let key = bytes.span.bytes
      if let value = try transaction.get(key, in: people) { total += value.byteCount }
      try transaction.delete(key, in: people)
      #expect(try transaction.count(of: people) == 0)
    }
    #expect(total == 3)
  }
}
