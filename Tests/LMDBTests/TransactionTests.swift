import LMDB
import Testing
import TestSupport

@Suite struct TransactionTests {
  let folder: TemporaryFolder
  let environment: Environment

  init() throws {
    folder = TemporaryFolder()
    environment = try Environment.open(at: folder.path(), options: .forTests())
  }

  @Test func whatIsWrittenIsReadBack() throws {
    try environment.write { transaction in
      let people = try transaction.openDatabase(named: "people")
      try transaction.put("Ada", at: "1", in: people)
      #expect(try transaction.text("1", in: people) == "Ada")
    }
    try environment.read { transaction in
      let people = try #require(try transaction.database(named: "people"))
      #expect(try transaction.text("1", in: people) == "Ada")
      #expect(try transaction.text("2", in: people) == nil)
      #expect(try transaction.count(of: people) == 1)
    }
  }

  @Test func aThrowingWriteLeavesNothing() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try environment.write { transaction in
        let people = try transaction.openDatabase(named: "people")
        try transaction.put("Ada", at: "1", in: people)
        throw Refusal()
      }
    }
    try environment.read { transaction in
      let people = try transaction.database(named: "people")
      #expect(people == nil)
    }
  }
}
