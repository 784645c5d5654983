import Foundation
import LMDB
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// A model whose declaration is another one in each round.
private struct Restless: Model, Hashable {
  private static let current = Mutex(schema(ofRound: 0))

  static func begin(round: Int) {
    let schema = schema(ofRound: round)
    current.withLock { $0 = schema }
  }

  var id: Int
  var value: Int

  static var _schema: _ModelSchema<Restless> { current.withLock { $0 } }

  private static func schema(ofRound round: Int) -> _ModelSchema<Restless> {
    _ModelSchema<Restless>(
      "Restless",
      [
        _keyColumn(\.id, "id"),
        round % 2 == 0 ? _column(\.value, "value") : _indexedColumn(\.value, "value"),
      ], removed: ["never there \(round)"])
  }

  var _primaryKey: Int { id }

  init(id: Int, value: Int) { (self.id, self.value) = (id, value) }

  init(_record row: inout _RecordDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    value = try Self._decode(&row) { $0.value }
  }

  func _encode(into row: inout _RecordEncoder) {
    row.encodeKey(id)
    row.encode(value)
  }
}

/// A schema may change as often as it likes: a store has room for 1,024 names of trees.
@Suite(.keepsFailedStores, .serialized) struct StoreChurnTests {
  /// The names of trees that a store's file has, of the numbers that 1,100 changes could take.
  private func treeNames(_ temporary: TemporaryStore) throws -> [String] {
    var options = Environment.Options()
    options.maxDatabases = 4_096
    let environment = try Environment.open(at: temporary.url.path, options: options)
    return try environment.read { transaction in
      var found: [String] = []
      for name in ["e", "x"].flatMap({ kind in (0...1_200).map { "\(kind)\($0)" } })
      where try transaction.database(named: name) != nil {
        found.append(name)
      }
      return found
    }
  }

  @Test func anIndexIsAddedAndDroppedHundredsOfTimesInOneTree() throws {
    try withTemporaryStore(of: Bare.Cell.self, checksAtEnd: false) { temporary in
      func open() throws -> Store {
        try Store.open(at: temporary.url, models: Restless.self, options: .forTests)
      }
      Restless.begin(round: 0)
      try open().write { tx in
        for id in 0..<20 { try tx.insert(Restless(id: id, value: id % 3)) }
      }
      for round in 1...Torture.steps(short: 600, long: 2_000) {
        Restless.begin(round: round)
        let entries = try open().statistics.models[0].indexes.map(\.tree.entries)
        guard entries == (round % 2 == 0 ? [] : [20]) else {
          Issue.record("round \(round): \(entries)")
          return
        }
      }
      #expect(try open().verify().problems == [])
      #expect(try open().count(Restless.where { $0.value == 1 }) == 7)
      #expect(try treeNames(temporary) == ["e1", "x1"])
    }
  }

  @Test func aThousandMigrationsTakeTurnsInTwoTrees() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      do { try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<10)) } }
      for round in 1...1_100 {
        let migration = Migration("round \(round)", Song.self) { _, new in new?.plays += 1 }
        _ = try Store.open(
          at: temporary.url, models: Song.self, options: .forTests, migrations: [migration])
      }
      #expect(
        try temporary.open().fetch(Song.all).map(\.plays)
          == Song.numbered(0..<10).map { $0.plays + 1_100 })
      let names = try treeNames(temporary)
      #expect(names.filter { $0.hasPrefix("e") } == ["e1", "e2", "e3"])
      #expect(names.count == 5)
    }
  }

  @Test func aTreeThatHasANewOwnerStillHoldsTheOldOnesRowsForASnapshot() throws {
    try withTemporaryStore(of: ByRank.Mark.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        for id in 0..<50 { try tx.insert(ByRank.Mark(id: id, rank: id % 5, name: "\(id % 2)")) }
      }
      let snapshot = try store.snapshot()
      // The index over the rank goes, and the one over the name gets its tree.
      do {
        let other = try Store.open(
          at: temporary.url, models: ByNameAlone.Mark.self, options: .forTests)
        #expect(try other.count(ByNameAlone.Mark.where { $0.name == "1" }) == 25)
        #expect(try other.verify().indexEntries == 50)
      }
      #expect(try snapshot.count(ByRank.Mark.where { $0.rank == 3 }) == 10)
      #expect(try snapshot.fetch(ByRank.Mark.where { $0.rank == 3 && $0.name == "1" }).count == 5)
      #expect(try store.count(ByRank.Mark.where { $0.rank == 3 }) == 10)
      #expect(try store.count(ByRank.Mark.where { $0.name == "1" }) == 25)
    }
  }
}

enum ByNameAlone {
  @Model struct Mark {
    @PrimaryKey var id: Int
    var rank: Int
    @Indexed var name: String
    var note: String?
  }
}
