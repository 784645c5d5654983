import LMDB
import Testing
import TestSupport

@Suite struct NestedTests {
  let folder = TemporaryFolder()
  let environment: Environment
  let database: Database

  private struct Undo: Error {}

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
    database = try environment.write { try $0.openDatabase(named: "d") }
  }

  @Test func aThrowingNestedTransactionTakesBackItsOwnChangesAlone() throws {
    try environment.write { transaction in
      try transaction.put("1", at: "outer", in: database)
      #expect(throws: Undo.self) {
        try transaction.nested { transaction in
          try transaction.put("2", at: "outer", in: database)
          try transaction.put("2", at: "inner", in: database)
          throw Undo()
        }
      }
      #expect(try transaction.text("outer", in: database) == "1")
      #expect(try transaction.text("inner", in: database) == nil)
      try transaction.put("3", at: "after", in: database)
    }
    #expect(try environment.read { try $0.keys(of: database) } == ["after", "outer"])
  }

  @Test func aNestedTransactionGoesWithTheOuterOne() throws {
    #expect(throws: Undo.self) {
      try environment.write { transaction in
        try transaction.nested { try $0.put("1", at: "inner", in: database) }
        throw Undo()
      }
    }
    #expect(try environment.read { try $0.count(of: database) } == 0)
  }

  @Test func eachLevelOfManyIsTakenBackOrKeptByItself() throws {
    var expected: Set<String> = []
    /// Writes at this level and below; returns what is left of it.
    func descend(_ transaction: inout WriteTransaction, _ depth: Int) throws -> Set<String> {
      try transaction.put("", at: "\(depth)", in: database)
      var left: Set<String> = ["\(depth)"]
      guard depth < 20 else { return left }
      do {
        let below = try transaction.nested { transaction in
          let below = try descend(&transaction, depth + 1)
          if depth % 7 == 5 { throw Undo() }
          return below
        }
        left.formUnion(below)
      } catch is Undo {}
      return left
    }
    try environment.write { expected = try descend(&$0, 0) }
    #expect(expected.count == 6)
    #expect(try Set(environment.read { try $0.keys(of: database) }) == expected)
  }

  @Test func aNestedTransactionReturnsAValue() throws {
    let count = try environment.write { transaction in
      try transaction.nested { transaction in
        try transaction.put("", at: "key", in: database)
        return try transaction.count(of: database)
      }
    }
    #expect(count == 1)
  }

  /// Swapped for another, an outer transaction would end before the one inside it.
  @Test func endingAnOuterTransactionFirstTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.path() as String] in
      let first = try Environment.open(at: path, options: .forTests())
      let second = try Environment.open(at: path + "2", options: .forTests())
      try first.write { one in
        try second.write { two in
          try two.nested { inner in swap(&one, &inner) }
        }
      }
    }
    #expect(result.says("the innermost one ends first"))
  }
}
