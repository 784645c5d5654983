@testable import LMDB
import Testing
import TestSupport

@Suite struct DatabaseTests {
  let folder = TemporaryFolder()
  let environment: Environment

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
  }

  private struct Refusal: Error {}

  @Test func aDatabaseServesLaterTransactions() throws {
    let database = try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.put("value", at: "key", in: database)
      return database
    }
    #expect(try environment.read { try $0.text("key", in: database) } == "value")
    #expect(try environment.write { try $0.openDatabase(named: "d") } == database)
  }

  @Test func aDatabaseIsOpenedOnce() throws {
    try environment.write { transaction in
      let first = try transaction.openDatabase(named: "d")
      #expect(try transaction.openDatabase(named: "d") == first)
      #expect(try transaction.database(named: "d") == first)
      #expect(try transaction.nested { try $0.openDatabase(named: "d") } == first)
    }
  }

  @Test func anAbortedCreationVanishes() throws {
    var lost: Database?
    #expect(throws: Refusal.self) {
      try environment.write { transaction in
        lost = try transaction.openDatabase(named: "lost")
        throw Refusal()
      }
    }
    let database = try #require(lost)
    try environment.write { transaction in
      let error = lmdbError {
        try transaction.put("value", at: "key", in: database)
      }
      #expect(error?.code == .badDatabase)
    }
    #expect(try environment.read { try $0.isEmpty() })
  }

  /// The C library gives the slot of a vanished database to the next one.
  @Test func aVanishedDatabaseIsNotTakenForItsSuccessor() throws {
    var lost: Database?
    #expect(throws: Refusal.self) {
      try environment.write { transaction in
        lost = try transaction.openDatabase(named: "lost")
        throw Refusal()
      }
    }
    let database = try #require(lost)
    try environment.write { transaction in
      let successor = try transaction.openDatabase(named: "successor")
      try transaction.put("secret", at: "key", in: successor)
    }
    try environment.read { transaction in
      let error = lmdbError { _ = try transaction.text("key", in: database) }
      #expect(error?.code == .badDatabase)
    }
  }

  @Test func aCreationInAnAbortedNestedTransactionVanishes() throws {
    try environment.write { transaction in
      #expect(throws: Refusal.self) {
        try transaction.nested { transaction in
          _ = try transaction.openDatabase(named: "lost")
          throw Refusal()
        }
      }
      let lost = try transaction.database(named: "lost")
      #expect(lost == nil)
      let kept = try transaction.nested { try $0.openDatabase(named: "kept") }
      try transaction.put("value", at: "key", in: kept)
    }
    try environment.read { transaction in
      let kept = try #require(try transaction.database(named: "kept"))
      #expect(try transaction.text("key", in: kept) == "value")
    }
  }

  @Test func aDatabaseOfAnotherEnvironmentIsRefused() throws {
    let other = try Environment.open(at: folder.path("other.mdb"), options: .forTests())
    let database = try environment.write { try $0.openDatabase(named: "d") }
    try other.write { transaction in
      _ = try transaction.openDatabase(named: "d")
      let error = lmdbError { _ = try transaction.count(of: database) }
      #expect(error?.code == .badDatabase)
    }
  }

  @Test func tooManyDatabasesAreRefused() throws {
    let folder = TemporaryFolder()
    let environment = try Environment.open(
      at: folder.path(), options: .forTests { $0.maxDatabases = 3 })
    let error = lmdbError {
      try environment.write { transaction in
        for name in ["a", "b", "c", "d"] { _ = try transaction.openDatabase(named: name) }
      }
    }
    #expect(error?.code == .databasesFull)
  }

  @Test func databasesOfAnotherProcessAreFound() async throws {
    try environment.write { _ = try $0.openDatabase(named: "ours") }
    let snapshot = try environment.snapshot(named: "before")
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { transaction in
        for name in ["theirs", "more"] {
          let database = try transaction.openDatabase(named: name)
          try transaction.put("value of \(name)", at: "key", in: database)
        }
      }
    }
    try environment.read { transaction in
      let theirs = try #require(try transaction.database(named: "theirs"))
      #expect(try transaction.text("key", in: theirs) == "value of theirs")
    }
    try environment.write { transaction in
      let more = try #require(try transaction.database(named: "more"))
      #expect(try transaction.text("key", in: more) == "value of more")
    }
    #expect(try snapshot.read { try $0.database(named: "theirs") == nil })
  }

  /// Creates databases in another process.
  private func create(_ names: [String], at path: String? = nil) async {
    await #expect(processExitsWith: .success) {
      [path = (path ?? folder.path()) as String, names = names as [String]] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { transaction in
        for name in names {
          let database = try transaction.openDatabase(named: name)
          try transaction.put("value of \(name)", at: "key", in: database)
        }
      }
    }
  }

  /// The writer's lock was taken to open what another process had made, so that reading
  /// inside a write failed, and beside one it waited.
  @Test func aDatabaseOfAnotherProcessIsReadInsideAWrite() async throws {
    await create(["theirs"])
    try environment.write { _ in
      let value = try environment.read { transaction in
        try transaction.text("key", in: #require(try transaction.database(named: "theirs")))
      }
      #expect(value == "value of theirs")
    }
  }

  @Test func aDatabaseOfAnotherProcessIsReadBesideAWrite() async throws {
    await create(["theirs"])
    let writer = HeldTransaction.writing(environment)
    let value = try environment.read { transaction in
      try transaction.text("key", in: #require(try transaction.database(named: "theirs")))
    }
    #expect(value == "value of theirs")
    writer.end()
  }

  /// A later commit kept a reader that had begun already from ever finding it.
  @Test func aReadThatHasBegunFindsTheDatabasesOfItsCommit() async throws {
    await create(["theirs"])
    try environment.read { transaction in
      try environment.write { _ = try $0.openDatabase(named: "later") }
      let theirs = try #require(try transaction.database(named: "theirs"))
      #expect(try transaction.text("key", in: theirs) == "value of theirs")
      let later = try transaction.database(named: "later")
      #expect(later == nil)
    }
    #expect(try environment.read { try $0.database(named: "later") != nil })
  }

  @Test func aSnapshotFindsTheDatabasesOfItsCommit() async throws {
    await create(["theirs"])
    let snapshot = try environment.snapshot(named: "s")
    try environment.write { transaction in
      let theirs = try #require(try transaction.database(named: "theirs"))
      try transaction.put("changed", at: "key", in: theirs)
    }
    await create(["more"])
    #expect(try environment.read { try $0.database(named: "more") != nil })
    let value = try snapshot.read { transaction in
      try transaction.text("key", in: #require(try transaction.database(named: "theirs")))
    }
    #expect(value == "value of theirs")
    #expect(try snapshot.read { try $0.database(named: "more") == nil })
  }

  /// Opening what another process had made took a second reader slot.
  @Test func aReaderWithTheLastPlaceFindsADatabaseOfAnotherProcess() async throws {
    let other = TemporaryFolder()
    let environment = try Environment.open(
      at: other.path(), options: .forTests { $0.maxReaders = 2 })
    await create(["theirs"], at: other.path())
    let held = HeldTransaction.reading(environment)
    await create(["more"], at: other.path())
    let value = try environment.read { transaction in
      try transaction.text("key", in: #require(try transaction.database(named: "more")))
    }
    #expect(value == "value of more")
    held.end()
  }

  @Test func whatAnotherProcessMakesBeyondTheLimitIsRefusedByName() async throws {
    let other = TemporaryFolder()
    let options = Environment.Options.forTests { $0.maxDatabases = 2 }
    let environment = try Environment.open(at: other.path(), options: options)
    await create(["a", "b", "c"], at: other.path())
    #expect(try environment.read { try $0.database(named: "a") != nil })
    #expect(try environment.read { try $0.database(named: "b") != nil })
    for _ in 0..<2 {
      let error = lmdbError { _ = try environment.read { try $0.database(named: "c") } }
      #expect(error?.code == .databasesFull)
      #expect(error?.detail.hasPrefix("c;") == true)
    }
    try environment.write { transaction in
      let a = try #require(try transaction.database(named: "a"))
      try transaction.put("ours", at: "key", in: a)
      let error = lmdbError { _ = try transaction.database(named: "c") }
      #expect(error?.code == .databasesFull)
    }
  }

  /// Keys in another order, or with many values each, would be read wrongly.
  @Test(arguments: [0x02, 0x04] as [UInt32])
  func treesOfOtherKindsAreRefused(flags: UInt32) throws {
    // The first writer looks at all pages, and takes such a tree for a damaged one.
    try environment.write { _ in }
    let (begun, _) = environment.core.handle.begin(isReadOnly: false)
    let transaction = try #require(begun)
    #expect(transaction.openDatabase("other", flags: OpeningFlag.create | flags).code == 0)
    #expect(transaction.commit() == 0)
    for _ in 0..<2 {
      let reading = lmdbError { _ = try environment.read { try $0.database(named: "other") } }
      #expect(reading?.code == .incompatible)
      let writing = lmdbError { _ = try environment.write { try $0.openDatabase(named: "other") } }
      #expect(writing?.code == .incompatible)
    }
  }

  @Test func manyThreadsFindOneNewDatabase() async throws {
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { transaction in
        for name in 0..<20 { _ = try transaction.openDatabase(named: "\(name)") }
      }
    }
    let environment = environment
    let found = try await withThrowingTaskGroup(of: [Database?].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try (0..<20).map { name in try environment.read { try $0.database(named: "\(name)") } }
        }
      }
      return try await group.reduce(into: Set<[Database?]>()) { $0.insert($1) }
    }
    #expect(found.count == 1)
    #expect(Set(found.first ?? []).count == 20)
  }
}
