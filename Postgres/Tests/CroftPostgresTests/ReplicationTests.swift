import Croft
@testable import CroftPostgres
import CroftSync
import Foundation
import Testing

/// Stores that become the same by way of a server.
@Suite struct ReplicationTests {
  /// Two stores that were filled before they knew each other, and have no connection for a while.
  private func pair(
    _ database: TestDatabase
  ) async throws -> (a: TestStore, b: TestStore, first: Sync, second: Sync) {
    let (a, b) = (try TestStore(), try TestStore())
    try await a.add(Shelf(id: 1, name: "home"))
    try await a.add(
      Book(id: 1, title: "one", shelf: Ref(1)), Book(id: 2, title: "two", shelf: Ref(1)))
    try await b.add(Book(id: 3, title: "three"))
    let first = try a.join(try database.server(as: "writer"), database.space)
    try await first.now()
    let second = try b.join(try database.server(as: "other"), database.space)
    try await second.now()
    try await first.now()
    #expect(try a.library == b.library)
    #expect(try a.library.books.count == 3)
    return (a, b, first, second)
  }

  /// Ends both, lets each side change its store, and brings them together again: first one, then the other.
  private func apart(
    _ database: TestDatabase, _ change: (TestStore, TestStore) async throws -> Void,
    _ then: (TestStore, TestStore, Sync, Sync) async throws -> Void
  ) async throws {
    var (a, b, first, second) = try await pair(database)
    await first.stop()
    await second.stop()
    try await change(a, b)
    first = try a.join(try database.server(as: "writer"), database.space)
    try await first.now()
    second = try b.join(try database.server(as: "other"), database.space)
    try await second.now()
    try await first.now()
    #expect(try a.library == b.library)
    try await then(a, b, first, second)
    await first.stop()
    await second.stop()
    for store in [a, b] { #expect(try await store.store.verify().problems == []) }
  }

  @Test func changesOfBothSidesAreKept() async throws {
    try await apart(TestDatabase()) { a, b in
      try await a.update(1) { $0.title = "first" }
      try await b.update(1) { $0.pages = 100 }
      try await a.add(Book(id: 4, title: "four"))
      try await b.add(Book(id: 5, title: "장보기 🛒"))
    } _: { a, _, _, _ in
      let books = try a.library.books
      #expect(books.map(\.id) == [1, 2, 3, 4, 5])
      #expect(books[0] == Book(id: 1, title: "first", pages: 100, shelf: Ref(1)))
      #expect(books[4].title == "장보기 🛒")
    }
  }

  /// Of two values of one field the later one is kept, by the server's time, and the other one is told.
  @Test func theLaterValueOfAFieldIsKept() async throws {
    let database = try await TestDatabase()
    let control = try await database.cluster.control()
    try await apart(database) { a, b in
      try await b.update(1) { $0.title = "b" }
      // Each store knows the server's time to some milliseconds, of a busy machine to more.
      try await control.run(script: "SELECT pg_sleep(1)", within: .seconds(60))
      try await a.update(1) { $0.title = "a" }
    } _: { a, _, _, second in
      #expect(try a.library.books[0].title == "a")
      let event = try #require(await second.events(1).first)
      #expect(event.kind == .overwritten && event.field == "title")
      #expect(event.concerns(Book.self, 1))
      #expect("\(event.mine ?? .none)" == "\(StoredValue.string("b"))")
      #expect("\(event.theirs ?? .none)" == "\(StoredValue.string("a"))")
      let time = try #require(event.time)
      #expect(abs(time.timeIntervalSinceNow) < 3_600)
    }
    await control.close()
  }

  @Test func aDeletionWinsOverAnEdit() async throws {
    try await apart(TestDatabase()) { a, b in
      try await a.store.write { _ = try $0.delete(Book.self, 1) }
      try await b.update(1) { $0.title = "late" }
    } _: { a, _, _, second in
      let books = try a.library.books
      #expect(books.map(\.id) == [2, 3])
      #expect(await second.events(1).map(\.kind) == [.objectGone])
    }
  }

  /// A shelf is deleted with its books, also with one that the other store puts on it meanwhile.
  @Test func aDeletionTakesNewReferencesAlong() async throws {
    try await apart(TestDatabase()) { a, b in
      try await a.store.write { _ = try $0.delete(Shelf.self, 1) }
      try await b.add(Book(id: 9, title: "new", shelf: Ref(1)))
    } _: { a, _, _, second in
      let library = try a.library
      #expect(library.shelves.isEmpty && library.books.map(\.id) == [3])
      #expect(await second.events(1).map(\.kind) == [.dropped])
    }
  }

  /// Two stores make a shelf of one name: the one that comes second adopts the other one, with its books.
  @Test func oneOfTwoEqualNamesIsAdopted() async throws {
    try await apart(TestDatabase()) { a, b in
      try await a.add(Shelf(id: 7, name: "work"))
      try await b.add(Shelf(id: 8, name: "work"))
      try await b.add(Book(id: 9, title: "new", shelf: Ref(8)))
    } _: { a, b, _, second in
      #expect(try a.library.shelves.map(\.id) == [1, 7])
      #expect(try b.library.books.last == Book(id: 9, title: "new", shelf: Ref(7)))
      let event = try #require(await second.events(1).first)
      #expect(event.kind == .adopted && event.concerns(Shelf.self, 8))
    }
  }

  /// A commit arrives by itself, because the server tells the other replica.
  @Test func aCommitArrivesByItself() async throws {
    let database = try await TestDatabase()
    let (a, b, first, second) = try await pair(database)
    try await a.add(Book(id: 10, title: "ten"))
    try await b.reaches { $0.books.contains { $0.id == 10 } }
    try await b.update(10) { $0.pages = 7 }
    try await a.reaches { $0.books.contains { $0.pages == 7 } }
    await first.stop()
    await second.stop()
  }

  /// A store that has left is a store as any other; the space keeps the objects.
  @Test(arguments: [true, false])
  func aStoreLeaves(keeps: Bool) async throws {
    let database = try await TestDatabase()
    let (a, b, first, second) = try await pair(database)
    try await second.leave(keeps ? .keep : .erase)
    #expect(try b.library.books.count == (keeps ? 3 : 0))
    try await b.add(Book(id: 20, title: "own"))
    try await first.now()
    #expect(try a.library.books.count == 3)
    // It may come again, as a replica that is new.
    let again = try b.join(try database.server(as: "other"), database.space)
    try await again.now()
    try await first.now()
    #expect(try a.library == b.library)
    #expect(try a.library.books.map(\.id) == [1, 2, 3, 20])
    await first.stop()
    await again.stop()
  }

  /// More objects than one pull has, and than one message of a push holds.
  @Test func manyObjectsComeInParts() async throws {
    let database = try await TestDatabase()
    let (a, b) = (try TestStore(), try TestStore())
    let count = 25_000
    try await a.store.write { tx in
      for id in 0..<count { try tx.insert(Book(id: id, title: "Title \(id)")) }
    }
    let first = try a.join(try database.server(as: "writer"), database.space)
    try await first.now()
    let second = try b.join(try database.server(as: "other"), database.space)
    try await second.now()
    #expect(try b.library == a.library)
    #expect(try b.library.books.count == count)
    await first.stop()
    await second.stop()
  }

  /// What a reader changes stays, and a right that is taken ends the synchronization while it is connected.
  @Test func rightsAreTold() async throws {
    let database = try await TestDatabase()
    let (_, _, first, second) = try await pair(database)
    let c = try TestStore()
    let third = try c.join(try database.server(as: "reader"), database.space)
    try await third.now()
    #expect(try c.library.books.count == 3)
    try await c.add(Book(id: 30, title: "thirty"))
    await #expect(throws: SyncError.forbidden) { try await third.now() }
    #expect(
      await third.reaches { if case .readOnly(pending: 1, version: _) = $0 { true } else { false } }
    )
    try await Postgres.revoke(database.role("reader"), from: database.space, on: database.owner)
    await #expect(throws: SyncError.forbidden) { try await third.now() }
    #expect(await third.reaches { $0 == .stopped(.forbidden) })
    #expect(try c.library.books.count == 4)
    await first.stop()
    await second.stop()
  }

  /// Four stores change at random while the server ends connections; at rest all are the same.
  @Test(arguments: 0..<3 as Range<UInt64>)
  func fourStoresConverge(seed: UInt64) async throws {
    let database = try await TestDatabase()
    let stores = try (0..<4).map { _ in try TestStore() }
    let syncs = try stores.map { store in
      try store.join(
        try database.server(as: seed % 2 == 0 ? "writer" : "other"), database.space)
    }
    let admin = try await PostgresServerControl(database)
    try await withThrowingTaskGroup { group in
      for (place, store) in stores.enumerated() {
        let sync = syncs[place]
        group.addTask {
          var random = TestGenerator(seed: seed &* 16 &+ UInt64(place))
          for step in 0..<60 {
            try await store.changeAtRandom(&random, step: step, place: place)
            if random.below(4) == 0 { try await sync.patiently() }
            if random.below(12) == 0 { try await admin.endConnections() }
          }
        }
      }
      try await group.waitForAll()
    }
    for _ in 0..<4 { for sync in syncs { try await sync.patiently() } }
    let library = try stores[0].library
    #expect(!library.books.isEmpty)
    for store in stores {
      #expect(try store.library == library, "seed \(seed)")
      #expect(try await store.store.verify().problems == [])
    }
    // A replica that comes now has the same.
    let last = try TestStore()
    let sync = try last.join(try database.server(as: "reader"), database.space)
    try await sync.now()
    #expect(try last.library == library, "seed \(seed)")
    for sync in syncs + [sync] { await sync.stop() }
  }
}

extension TestStore {
  /// One commit of a random program.
  fileprivate func changeAtRandom(
    _ random: inout TestGenerator, step: Int, place: Int
  ) async throws {
    let (kind, id, shelf) = (random.below(8), random.below(12), random.below(4))
    let title = "\(place).\(step)"
    try await store.write { tx in
      let target = try tx.get(Shelf.self, shelf) == nil ? nil : Ref<Shelf>(shelf)
      switch kind {
      case 0: _ = try tx.delete(Book.self, id)
      case 1: _ = try tx.delete(Shelf.self, shelf)
      case 2, 3:
        let name = "shelf \(step % 3)"
        if target == nil, try tx.first(Shelf.where { $0.name == name }) == nil {
          try tx.insert(Shelf(id: shelf, name: name))
        }
      case 4, 5:
        if try tx.get(Book.self, id) == nil {
          try tx.insert(Book(id: id, title: title, shelf: target))
        }
      case 6: try tx.update(Book.self, id) { $0.shelf = target }
      default: try tx.update(Book.self, id) { ($0.title, $0.pages) = (title, step) }
      }
    }
  }
}
