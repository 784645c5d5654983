import Foundation
import TestSupport
import Testing

@testable import Croft

/// Two programs whose types differ have one store open.
@Suite(.keepsFailedStores) struct TwoProgramsTests {
  enum Older {
    @Model struct Item: Hashable {
      @PrimaryKey var id: Int
      @Indexed var n: Int = 7
      var k: Int?
    }
    @Model struct Other: Hashable {
      @PrimaryKey var id: Int
    }
  }
  enum Newer {
    @Model struct Item: Hashable {
      @PrimaryKey var id: Int
      @Indexed var n: String
      var k: String
    }
  }
  /// Differs in a way that needs no migration.
  enum Wider {
    @Model struct Item: Hashable {
      @PrimaryKey var id: Int
      var note = "none"
      @Indexed var n: Int = 7
      var k: Int?
    }
  }

  private func isMismatch(_ error: (any Error)?) -> Bool {
    if case .schemaMismatch("Item", _, _)? = error as? StoreError { true } else { false }
  }

  /// A model without objects may change in any way.
  ///
  /// The older program had looked while there were none, and then read its own defaults from the rows that the newer one inserted.
  @Test func aProgramThatReadAModelWhileItWasEmptyIsRefusedWhenItHasRowsOfOtherTypes() throws {
    try withTemporaryStore(of: Newer.Item.self) { temporary in
      let older = try Store.open(at: temporary.url, models: Older.Item.self, options: .forTests)
      let newer = try temporary.open()
      #expect(try older.count(Older.Item.all) == 0)
      try newer.write { try $0.insert(Newer.Item(id: 2, n: "y", k: "k")) }
      for _ in 0..<2 {
        #expect { try older.fetch(Older.Item.all) } throws: { isMismatch($0) }
        #expect { try older.count(Older.Item.where { $0.n == 7 }) } throws: { isMismatch($0) }
        #expect { try older.get(Older.Item.self, 2) } throws: { isMismatch($0) }
        #expect {
          try older.write { try $0.insert(Older.Item(id: 3, n: 33)) }
        } throws: { isMismatch($0) }
        #expect { try older.write { _ = try $0.delete(Older.Item.self, 2) } } throws: {
          isMismatch($0)
        }
      }
      #expect(try newer.fetch(Newer.Item.all) == [Newer.Item(id: 2, n: "y", k: "k")])
      // Once the rows are gone, it reads none.
      try newer.write { _ = try $0.delete(Newer.Item.self, 2) }
      #expect(try older.count(Older.Item.all) == 0)
      try newer.write { try $0.insert(Newer.Item(id: 4, n: "z", k: "k")) }
      #expect { try older.fetch(Older.Item.all) } throws: { isMismatch($0) }
    }
  }

  /// A snapshot of the time before sees no rows, as when it was taken.
  @Test func aSnapshotFromBeforeTheRowsStaysReadable() throws {
    try withTemporaryStore(of: Newer.Item.self) { temporary in
      let older = try Store.open(at: temporary.url, models: Older.Item.self, options: .forTests)
      let newer = try temporary.open()
      let snapshot = try older.snapshot()
      try newer.write { try $0.insert(Newer.Item(id: 2, n: "y", k: "k")) }
      #expect(try snapshot.count(Older.Item.all) == 0)
      #expect { try older.count(Older.Item.all) } throws: { isMismatch($0) }
      #expect(try snapshot.fetch(Older.Item.all) == [])
    }
  }

  /// An observer's reading while the model is empty is enough to keep the old types.
  @Test func anObserverEndsWithTheMismatch() throws {
    try withTemporaryStore(of: Newer.Item.self) { temporary in
      let older = try Store.open(at: temporary.url, models: Older.Item.self, options: .forTests)
      let errors = Recorder<Bool>()
      let ended = DispatchSemaphore(value: 0)
      let token = older.observe(Older.Item.all.count) { error in
        errors.add(isMismatch(error))
        ended.signal()
      } _: { _ in
      }
      older.drainObservers()
      let newer = try temporary.open()
      #expect(try older.count(Older.Item.all) == 0)
      older.drainObservers()
      try newer.write { try $0.insert(Newer.Item(id: 2, n: "y", k: "k")) }
      #expect(ended.wait(timeout: .now() + 60) == .success)
      #expect(errors.all == [true])
      token.cancel()
    }
  }

  @Test func aDifferenceThatNeedsNoMigrationIsReadWithAndWithoutRows() throws {
    try withTemporaryStore(of: Wider.Item.self) { temporary in
      let older = try Store.open(at: temporary.url, models: Older.Item.self, options: .forTests)
      let wider = try temporary.open()
      #expect(try older.count(Older.Item.all) == 0)
      try wider.write { try $0.insert(Wider.Item(id: 1, n: 5)) }
      let known = older.knownCatalog
      #expect(try older.fetch(Older.Item.all) == [Older.Item(id: 1, n: 5)])
      let read = older.knownCatalog
      #expect(try older.count(Older.Item.where { $0.n == 5 }) == 1)
      #expect(older.knownCatalog === read, "the catalog is read once")
      #expect(known !== read)
      try older.write { try $0.insert(Older.Item(id: 2, n: 6)) }
      #expect(
        try wider.fetch(Wider.Item.all) == [Wider.Item(id: 1, n: 5), Wider.Item(id: 2, n: 6)])
    }
  }

  /// The store was emptied in one commit and got its new models in another: a program that read in between
  /// got the error that the store is damaged.
  @Test func aProgramWhoseModelsWereErasedElsewhereIsToldSo() throws {
    try withTemporaryStore(of: Newer.Item.self) { temporary in
      let older = try Store.open(
        at: temporary.url, models: Older.Item.self, Older.Other.self, options: .forTests)
      try older.write { try $0.insert(Older.Item(id: 1, n: 1)) }
      var options = Store.Options.forTests
      options.erasesOnSchemaMismatch = true
      let newer = try Store.open(at: temporary.url, models: Newer.Item.self, options: options)
      let error = StoreError.thrown { _ = try older.count(Older.Other.all) }
      guard case .schemaMismatch("Other", nil, let reason)? = error else {
        Issue.record("it was \(String(describing: error))")
        return
      }
      #expect(reason.contains("open it again"))
      try newer.write { try $0.insert(Newer.Item(id: 2, n: "y", k: "k")) }
      #expect { try older.write { try $0.insert(Older.Item(id: 3, n: 3)) } } throws: {
        isMismatch($0)
      }
      #expect(try newer.fetch(Newer.Item.all).map(\.id) == [2])
    }
  }

  /// A mismatch that the closure of a migration throws is about one object: the store was emptied for it.
  @Test func anErrorOfAMigrationErasesNothing() throws {
    try withTemporaryStore(of: Older.Item.self) { temporary in
      try temporary.open().write { try $0.insert(Older.Item(id: 1, n: 1)) }
      var options = Store.Options.forTests
      options.erasesOnSchemaMismatch = true
      let failure = StoreError.schemaMismatch(model: "Item", field: "n", reason: "one is no letter")
      #expect(throws: failure) {
        try Store.open(
          at: temporary.url, models: Newer.Item.self, options: options,
          migrations: [.convert(\Newer.Item.n, \Newer.Item.k) { _, _ in throw failure }])
      }
      #expect(try temporary.open().fetch(Older.Item.all) == [Older.Item(id: 1, n: 1)])
    }
  }

  /// Layouts that the catalog lacks all have the number 0; rows of one were read with the offsets of
  /// another.
  @Test func layoutsThatTheCatalogLacksAreNotTheSame() throws {
    let schema = Older.Item.schema
    let first = RecordLayout(schema: schema, id: RecordLayout.unregistered)
    let second = RecordLayout(
      schema: schema, hidden: [ColumnDefinition(name: "more", storage: .init(.string))],
      id: RecordLayout.unregistered)
    #expect(first.isSame(as: first))
    #expect(!first.isSame(as: second))
    #expect(
      RecordLayout(schema: schema, id: 4).isSame(as: RecordLayout(schema: schema, id: 4)))
  }
}
