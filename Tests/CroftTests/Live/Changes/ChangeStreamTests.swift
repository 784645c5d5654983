import Foundation
import LMDB
import Synchronization
import Testing

@testable import Croft

/// What a sink receives, replayed on a copy of the rows, gives the rows of the store.
@Suite(.keepsFailedStores) struct ChangeStreamTests {
  /// The events of all commits, which the sinks of a store add.
  private final class Recorder: Sendable {
    private let events = Mutex<[RecordingSink.Event]>([])
    let detail: ChangeDetail

    init(_ detail: ChangeDetail) { self.detail = detail }

    func open(
      _ temporary: TemporaryStore, _ models: any Model.Type..., migrations: [Migration] = []
    ) throws -> Store {
      try StoreOpening(
        path: temporary.url.path, models, .forTests, migrations,
        makeSinks: {
          [RecordingSink(self.detail) { events in self.events.withLock { $0 += events } }]
        }
      ).run()
    }

    func take() -> [RecordingSink.Event] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  typealias Way = (name: String, run: @Sendable (Store) throws -> Void)

  private static func way(
    _ name: String, _ body: @escaping @Sendable (inout Croft.WriteTransaction) throws -> Void
  ) -> Way {
    (name, { try $0.write(body) })
  }

  /// Every way of writing, in an order in which each finds objects to change.
  static let ways: [Way] = [
    way("one object") { try $0.insert(Song(id: 1, title: "one")) },
    way("many objects in no order") {
      try $0.insert(contentsOf: Song.numbered(10..<500).reversed())
    },
    way("many objects that refer to each other") { tx in
      try tx.insert(contentsOf: (0..<20).map { Person(id: $0, boss: $0 > 0 ? Ref($0 / 2) : nil) })
      try tx.insert(Club(name: "a", founder: Ref(3), members: [Ref(4), Ref(5)]))
    },
    way("an upsert") { try $0.upsert(Song(id: 1, title: "two")) },
    way("a merge") { tx in
      let song = try #require(try tx.get(Song.self, 1))
      var draft = song
      draft.note = "merged"
      try tx.upsert(draft, .merge(from: song))
    },
    way("a closure") { try $0.update(Song.self, 10) { $0.plays = 99 } },
    way("closures") { try $0.update(Song.where { $0.plays < 4 }) { $0.title += "!" } },
    way("set values") { try $0.update(Song.where { $0.plays == 5 }, set: \.note, to: "x") },
    way("savepoints, of which one is undone") { tx in
      try tx.savepoint { _ = try $0.delete(Song.self, 11) }
      do {
        try tx.savepoint { tx in
          try tx.deleteAll(Song.self)
          try tx.insert(Song(id: 2, title: "undone"))
          throw Refused()
        }
      } catch is Refused {}
      try tx.insert(Song(id: 3, title: "kept"))
    },
    way("a statement that fails") { tx in
      let songs = [Song(id: 4, title: "4"), Song(id: 3, title: "3")]
      #expect(StoreError.thrown { try tx.insert(contentsOf: songs) } != nil)
    },
    way("a deletion") { try $0.delete(Song.self, 12) },
    way("deletions by a query") { try $0.delete(Song.where { $0.plays > 6 }) },
    way("delete rules: a cascade, and references that become nil") {
      try $0.delete(Person.self, 4)
    },
    (
      "a damaged object",
      { store in
        try store.damageRow(14, .tag, value: "Song 14")
        try store.write { _ = try $0.delete(Song.self, 14) }
      }
    ),
    ("an index", { try $0.rebuildIndexes(of: Song.self) }),
    (
      "all objects, of which one is damaged",
      { store in
        try store.damageRow(15, .short, value: "Song 15")
        try store.write { _ = try $0.deleteAll(Song.self) }
      }
    ),
    way("all objects that are referred to") { try $0.deleteAll(Club.self) },
    ("everything", { try $0.erase() }),
  ]

  @Test(arguments: [ChangeDetail.keys, .newRows, .rows])
  func everyWayOfWritingIsCaptured(detail: ChangeDetail) throws {
    try withTemporaryStore(of: Song.self, Person.self, Club.self) { temporary in
      let recorder = Recorder(detail)
      let store = try recorder.open(temporary, Song.self, Person.self, Club.self)
      var twin = try store.dump()
      for (way, run) in Self.ways {
        let before = twin
        try run(store)
        twin = recorder.take().replayed(on: twin, way.contains("damaged") ? .newRows : detail)
        #expect(twin == (try store.dump()), "\(way)")
        let changesNothing = way == "a statement that fails" || way == "an index"
        #expect((twin == before) == changesNothing, "\(way)")
      }
    }
  }

  enum Old {
    @Model struct Item: Hashable {
      @PrimaryKey var id: Int
      var text: String
      @Indexed var rank: Int
    }
  }

  enum New {
    @Model struct Item: Hashable {
      @PrimaryKey var id: Int
      var text: String
      @Indexed var rank: String
    }
  }

  /// The migration gives objects the keys of others, and deletes some.
  @Test(arguments: [ChangeDetail.keys, .newRows, .rows])
  func aMigrationIsCaptured(detail: ChangeDetail) throws {
    try withTemporaryStore(of: New.Item.self) { temporary in
      let recorder = Recorder(detail)
      var twin: RowDump = [:]
      try Store.open(at: temporary.url, models: Old.Item.self, options: .forTests).write { tx in
        try tx.insert(contentsOf: (0..<40).map { Old.Item(id: $0, text: "\($0)", rank: $0) })
        twin = try tx.dump()
      }
      let migration = Migration("turn round", New.Item.self, replacing: \.id, \.rank) { old, new in
        let id = try old["id", as: Int.self]
        if id % 5 == 0 {
          new = nil
        } else {
          new?.id = id % 2 == 0 ? id : 40 - id + (id % 5 == 4 ? 100 : 0)
          new?.rank = "\(id)"
        }
      }
      let store = try recorder.open(temporary, New.Item.self, migrations: [migration])
      // Old rows come as far as they can be converted.
      let events = recorder.take()
      #expect(events.replayed(on: twin, .newRows) == (try store.dump()))
      for case .change(let model, let key, let old, _) in events where old != nil {
        #expect(twin[model]?[key] != nil)
      }
    }
  }

  /// Writes the keys that it keeps to a tree of its own, ten of them or more at a time.
  private final class Outbox: ChangeSink {
    private var keys: [[UInt8]] = []
    private var marks: [[[UInt8]]] = []
    private(set) var mostKept = 0
    private(set) var flushes = 0
    private let didFinish: (Outbox) -> Void

    init(didFinish: @escaping (Outbox) -> Void = { _ in }) { self.didFinish = didFinish }

    func detail(of table: Table) -> ChangeDetail { .rows }

    func take(
      _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, of table: Table
    ) {
      keys.append(unsafe [UInt8](key))
      mostKept = max(mostKept, keys.count)
    }

    func takeRemovalOfAll(of table: Table) {}

    var isFull: Bool { keys.count >= 10 }

    func flush(to transaction: inout LMDB.WriteTransaction) throws {
      flushes += 1
      let tree = try transaction.openDatabase(named: "outbox")
      for key in keys { try transaction.put([UInt8]().span.bytes, at: key.span.bytes, in: tree) }
      keys = []
    }

    func beginSavepoint() { marks.append(keys) }

    func releaseSavepoint() { marks.removeLast() }

    func rollBackToSavepoint() { keys = marks.removeLast() }

    func finish(_ sequence: UInt64, in transaction: inout LMDB.WriteTransaction) throws {
      try flush(to: &transaction)
      didFinish(self)
    }
  }

  /// A sink bounds its memory: a large statement lets it write in between, and an undo takes that back.
  @Test func aFullSinkWritesInTheTransaction() throws {
    try withStore(of: Song.self) { store in
      func kept() throws -> Int {
        try store.environment.read { tx in
          try tx.database(named: "outbox").map { try tx.count(of: $0) } ?? 0
        }
      }
      func write(_ body: (inout Croft.WriteTransaction) throws -> Void) throws -> Outbox {
        let outbox = Outbox()
        var tx = try store.beginWrite()
        tx.context.changes = ChangeStream(of: tx.catalog.all, observers: nil, others: [outbox])
        try body(&tx)
        try store.commit(tx)
        return outbox
      }
      let inserting = try write { tx in
        for song in Song.numbered(0..<100) { try tx.insert(song) }
        do {
          try tx.savepoint { tx in
            for song in Song.numbered(1_000..<1_050) { try tx.insert(song) }
            throw Refused()
          }
        } catch is Refused {}
      }
      #expect(inserting.mostKept == 10)
      #expect(inserting.flushes >= 15)
      #expect(try kept() == 100)
      let deleting = try write { tx in
        try tx.insert(contentsOf: Song.numbered(100..<3_000).reversed())
        try tx.delete(Song.where { $0.plays < 5 })
      }
      #expect(deleting.mostKept < 3_000)
      #expect(try kept() == 3_000)
      let emptying = try write { tx in _ = try tx.deleteAll(Song.self) }
      #expect(emptying.mostKept <= 300)
      #expect(try kept() == 3_000)
    }
  }

  /// A migration is one commit, and what a full sink keeps of it is written in between all the same.
  @Test func aFullSinkWritesInAMigration() throws {
    try withTemporaryStore(of: New.Item.self) { temporary in
      let count = 5_000
      try Store.open(at: temporary.url, models: Old.Item.self, options: .forTests).write { tx in
        try tx.insert(contentsOf: (0..<count).map { Old.Item(id: $0, text: "\($0)", rank: $0) })
      }
      let migration = Migration("move", New.Item.self, replacing: \.id, \.rank) { old, new in
        let id = try old["id", as: Int.self]
        new?.id = id % 2 == 0 ? id : id + count
        new?.rank = "\(id)"
      }
      let mostKept = CroftTests.Recorder<Int>()
      let store = try StoreOpening(
        path: temporary.url.path, [New.Item.self], .forTests, [migration],
        makeSinks: { [Outbox { mostKept.add($0.mostKept) }] }
      ).run()
      // A block of rows comes before each flush, and of an object that moves two keys.
      #expect(try #require(mostKept.all.max()) < count / 5)
      let written = try store.environment.read { tx in
        try tx.database(named: "outbox").map { try tx.count(of: $0) }
      }
      #expect(written == count + count / 2)
    }
  }

  /// Without observers, a log and other sinks a write transaction has no stream; a sink of keys does not
  /// make a deletion read rows.
  @Test func whatNobodyNeedsIsNotCaptured() throws {
    try withStore(of: Song.self, options: .forTests { $0.logsCommits = false }) { store in
      try store.write { #expect($0.context.changes == nil) }
      try store.write { tx in
        let table = try tx.table(of: Song._schema.erased)
        for detail in [ChangeDetail.nothing, .keys, .newRows, .rows] {
          let sink = RecordingSink(detail)
          let changes = try #require(
            ChangeStream(of: tx.catalog.all, observers: nil, others: [sink]))
          #expect(changes.takes(table) == (detail != .nothing))
          #expect(changes.takesOldRows(of: table) == (detail == .rows))
          tx.context.changes = changes
          try tx.upsert(Song(id: 1, title: "\(detail)"))
          #expect(sink.events.count == (detail == .nothing ? 0 : 1))
        }
        tx.context.changes = nil
      }
    }
  }
}

extension Store {
  /// All rows of the store.
  fileprivate func dump() throws -> RowDump { try beginWrite().dump() }
}
