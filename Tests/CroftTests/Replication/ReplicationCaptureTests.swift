import Foundation
import LMDB
import TestSupport
import Testing

@testable import Croft

/// What a store changes is in its outbox, whichever way and by whichever program it is written.
@Suite(.keepsFailedStores) struct ReplicationCaptureTests {
  private static let models: [any Model.Type] = [Song.self, Person.self, Club.self]

  private func withReplicatedStore(
    of models: [any Model.Type] = models, marks: Bool = true,
    _ body: (ReplicatedStore) throws -> Void
  ) throws {
    try withTemporaryStore(of: Song.self, Person.self, Club.self) { temporary in
      try body(try ReplicatedStore(temporary.url, models, marks: marks))
    }
  }

  @Test func everyWayOfWritingIsInTheOutbox() throws {
    try withReplicatedStore { replica in
      for (way, run) in ChangeStreamTests.ways where !way.contains("damaged") {
        try run(try replica.opened)
        try replica.check(way)
        // Half of the ways change what the server has, the others what it has not.
        if way.count % 2 == 0 { try replica.acknowledge() }
      }
    }
  }

  /// A program that knows the models by the catalog alone changes objects that are sent all the same.
  @Test func aWriteByNamesIsInTheOutbox() throws {
    try withReplicatedStore { replica in
      let store = try Store.open(at: replica.url, models: [], options: .storedModels)
      try store.write { try $0.insert("Song", ["id": .int(1), "title": .string("one")]) }
      #expect(try replica.opened.outbox().values.map(\.kind) == [.insertion])
      try replica.acknowledge()
      try store.write { try $0.perform(DynamicStatement("update Song set title = 'two'")) }
      #expect(try replica.opened.outbox().values.map(\.kind) == [.update])
      try store.write { try $0.perform(DynamicStatement("delete Song")) }
      #expect(try replica.opened.outbox().values.map(\.kind) == [.deletion])
    }
  }

  @Test func aValueThatIsTheServersAgainIsNoChange() throws {
    try withReplicatedStore { replica in
      let store = try replica.opened
      try store.write { try $0.insert(Song(id: 1, title: "one")) }
      try replica.check()
      try replica.acknowledge()
      try store.write { try $0.update(Song.self, 1) { ($0.title, $0.note) = ("two", "new") } }
      #expect(try store.outbox().values.map(\.kind) == [.update])
      try replica.check()
      try store.write { try $0.update(Song.self, 1) { $0.title = "one" } }
      #expect(try store.outbox().values.first?.server.values.map(\.bytes) == [nil])
      try replica.check()
      try store.write { try $0.update(Song.self, 1) { $0.note = nil } }
      #expect(try store.outbox().isEmpty)
    }
  }

  @Test func aDeletionAndAnInsertionAreOneReplacement() throws {
    try withReplicatedStore { replica in
      let store = try replica.opened
      let song = Song(id: 1, title: "one")
      try store.write { try $0.insert(song) }
      try replica.check()
      try replica.acknowledge()
      // It is a new object, also where its values are those of the old one.
      try store.write { tx in
        try tx.delete(song)
        try tx.insert(song)
      }
      #expect(try store.outbox().values.map(\.kind) == [.replacement])
      try replica.check()
      try store.write { _ = try $0.delete(song) }
      #expect(try store.outbox().values.map(\.kind) == [.deletion])
      try replica.check()
    }
  }

  /// An object that was never sent leaves nothing; one that may have been sent leaves its deletion.
  @Test func aDeletionIsToldWhereTheServerMayHaveTheObject() throws {
    try withReplicatedStore { replica in
      let store = try replica.opened
      let song = Song(id: 1, title: "one")
      try store.write { try $0.insert(song) }
      try store.write { _ = try $0.delete(song) }
      #expect(try store.outbox().isEmpty)
      try store.write { try $0.insert(song) }
      var clock = try replica.clock()
      clock.sent = clock.last
      try store.writeInEngine { try clock.write(to: store.knownCatalog.meta, &$0) }
      try store.write { _ = try $0.delete(song) }
      let entry = try #require(try store.outbox().values.first)
      #expect(entry.kind == .deletion)
      #expect(entry.server.isEmpty)
    }
  }

  @Test func objectsFromBeforeTheMarkAreInsertions() throws {
    try withReplicatedStore(marks: false) { replica in
      let store = try replica.opened
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<3_000)) }
      #expect(try store.outbox().isEmpty)
      let isMarked = store.knownCatalog.all.contains { $0.isReplicated }
      #expect(!isMarked)
      try store.replicate([Song.self], as: 7)
      try replica.check()
      #expect(try store.outbox().count == 3_000)
      // Models that are not marked are not captured, and those that are stay as they are.
      try store.write { try $0.insert(Person(id: 1)) }
      try store.replicate([Song.self], as: 9)
      #expect(try replica.clock().replica == 7)
      #expect(try store.outbox().count == 3_000)
    }
  }

  @Test func modelsThatReferToEachOtherAreReplicatedTogether() throws {
    try withReplicatedStore(marks: false) { replica in
      let store = try replica.opened
      for models in [[Person.self], [Club.self]] as [[any Model.Type]] {
        let error = StoreError.thrown { try store.replicate(models, as: 1) }
        guard case .invalidModel = error else {
          Issue.record("\(models) were marked: \(String(describing: error))")
          return
        }
      }
      #expect(try store.outbox().isEmpty)
      try store.replicate([Person.self, Club.self], as: 1)
    }
  }

  @Test func whatOthersChangedIsNotInTheOutbox() throws {
    try withReplicatedStore { replica in
      let store = try replica.opened
      let clock = try replica.clock()
      try store.writeRemote { try $0.insert(contentsOf: Song.numbered(0..<9)) }
      #expect(try store.outbox().isEmpty)
      #expect(try replica.clock() == clock)
    }
  }

  @Test func commitsTellWhereTheyComeFrom() async throws {
    try await withTemporaryStore(of: [Song.self]) { temporary in
      let store = try temporary.open()
      try store.replicate([Song.self], as: 1)
      let commits = store.commits.makeAsyncIterator()
      try await store.write { try $0.insert(Song(id: 1, title: "own")) }
      try store.writeRemote { _ = try $0.update(Song.self, 1) { $0.title = "theirs" } }
      let first = try #require(await commits.next())
      #expect(!first.isRemote)
      let second = try #require(await commits.next())
      #expect(second.isRemote)
      #expect(try second.changes(of: Song.self)?.first?.new?.title == "theirs")
    }
  }

  /// A row that cannot be read is removed; the server's values are then not known.
  @Test func aDamagedObjectIsRemovedAndReplaced() throws {
    try withReplicatedStore { replica in
      let store = try replica.opened
      try store.write { try $0.insert(contentsOf: Song.numbered(1..<5)) }
      try replica.acknowledge()
      try store.damageRow(1, .tag, value: "Song 1")
      try store.damageRow(2, .short, value: "Song 2")
      try store.write { tx in
        try tx.delete(Song.self, 1)
        try tx.upsert(Song(id: 2, title: "again"))
        try tx.deleteAll(Song.self)
      }
      let entries = try store.outbox()
      #expect(entries.values.allSatisfy { $0.kind == .deletion })
      #expect(entries.values.map(\.server.isEmpty).count { $0 } == 2)
    }
  }

  /// A damaged row that only an undone savepoint changed has no part in the commit.
  @Test(arguments: RowDamage.allCases)
  func aDamagedRowOfAnUndoneSavepointIsForgotten(_ damage: RowDamage) throws {
    struct Undo: Error {}
    try withReplicatedStore { replica in
      let store = try replica.opened
      try store.write { try $0.insert(contentsOf: Song.numbered(1..<3)) }
      try replica.acknowledge()
      try store.damageRow(1, damage, value: "Song 1")
      try store.write { tx in
        do {
          try tx.savepoint { tx in
            try tx.upsert(Song(id: 1, title: "again"))
            throw Undo()
          }
        } catch is Undo {
          // It was undone on purpose.
        } catch is StoreError {
          // The damage was found before the row was changed.
        }
        try tx.insert(Song(id: 9, title: "new"))
      }
      #expect(try store.outbox().values.map(\.kind) == [.insertion])
      // The store is checked at the end.
      try store.write { try $0.deleteAll(Song.self) }
    }
  }

  // MARK: Other programs

  /// A store that was open before the models were marked, in this process or another, captures too.
  @Test func aProgramThatWasOpenBeforeTheMarkCaptures() async throws {
    try await withTemporaryStore(of: [Song.self]) { temporary in
      let url = temporary.url
      let early = try Store.open(at: url, models: Song.self, options: .forTests)
      try await early.write { try $0.insert(Song(id: 1, title: "before")) }
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let store = try Store.open(at: url, models: Song.self, Album.self, options: .forTests)
        try store.replicate([Song.self], as: 3)
        try await store.write { try $0.insert(Song(id: 2, title: "there")) }
      }
      try await early.write { tx in
        try tx.insert(Song(id: 3, title: "here"))
        try tx.update(Song.self, 1) { $0.note = "changed" }
      }
      let entries = try early.outbox()
      #expect(entries.count == 3)
      #expect(entries.values.allSatisfy { $0.kind == .insertion && $0.stamp.replica == 3 })
      // Each later commit has a later stamp, whichever process made it.
      #expect(Set(entries.values.map(\.stamp)).count == 3)
    }
  }

  @Test func aProgramThatDeclaresFewerFieldsCapturesItsOwn() throws {
    try withTemporaryStore(of: Full.Note.self) { temporary in
      let full = try Store.open(at: temporary.url, models: Full.Note.self, options: .forTests)
      try full.write { try $0.insert(Full.Note(id: 1, text: "a", color: "red")) }
      try full.replicate([Full.Note.self], as: 1)
      try full.writeInEngine { tx in try tx.empty(try #require(try Outbox(in: tx)).tree) }
      let short = try Store.open(at: temporary.url, models: Short.Note.self, options: .forTests)
      try short.write { _ = try $0.update(Short.Note.self, 1) { $0.text = "b" } }
      #expect(try short.outbox().values.map(\.stamps.count) == [1])
      #expect(try full.get(Full.Note.self, 1)?.color == "red")
      try short.write { _ = try $0.delete(Short.Note.self, 1) }
      #expect(try short.outbox().values.first?.server.count == 2)
    }
  }

  enum Full {
    @Model struct Note: Hashable {
      @PrimaryKey var id: Int
      var text: String
      var color: String?
    }
  }

  enum Short {
    @Model struct Note: Hashable {
      @PrimaryKey var id: Int
      var text: String
    }
  }

  @Test func aMigrationIsInTheOutbox() throws {
    try withTemporaryStore(of: ChangeStreamTests.New.Item.self) { temporary in
      let old = try ReplicatedStore(temporary.url, [ChangeStreamTests.Old.Item.self])
      try old.opened.write { tx in
        try tx.insert(
          contentsOf: (0..<20).map { ChangeStreamTests.Old.Item(id: $0, text: "\($0)", rank: $0) })
      }
      try old.acknowledge()
      try old.opened.write { _ = try $0.delete(ChangeStreamTests.Old.Item.self, 19) }
      let migration = Migration(
        "turn round", ChangeStreamTests.New.Item.self, replacing: \.id, \.rank
      ) { old, new in
        let id = try old["id", as: Int.self]
        new?.rank = "\(id)"
        if id % 5 == 0 { new = nil } else if id % 5 == 1 { new?.id = id + 100 }
        if id % 5 == 2 { new?.text = "changed" }
      }
      let store = try Store.open(
        at: temporary.url, models: ChangeStreamTests.New.Item.self, options: .forTests,
        migrations: [migration])
      var kinds: [OutboxEntry.Kind: Int] = [:]
      for entry in try store.outbox().values { kinds[entry.kind, default: 0] += 1 }
      // Numbers 0 and 1 of each five are gone, as is 19; 1 is there under another key. All
      // others have a new rank.
      #expect(kinds == [.deletion: 9, .insertion: 4, .update: 11])
    }
  }

  /// A store of changes that nobody else has is not emptied for models that do not fit.
  @Test func aStoreWithUnsentChangesIsNotErased() throws {
    try withTemporaryStore(of: ChangeStreamTests.New.Item.self) { temporary in
      let options = Store.Options.forTests { $0.erasesOnSchemaMismatch = true }
      let old = try ReplicatedStore(temporary.url, [ChangeStreamTests.Old.Item.self])
      try old.opened.write { try $0.insert(ChangeStreamTests.Old.Item(id: 1, text: "a", rank: 1)) }
      func open() throws -> Store {
        try Store.open(at: temporary.url, models: ChangeStreamTests.New.Item.self, options: options)
      }
      let error = StoreError.thrown { _ = try open() }
      guard case .cannotOpen(_, let reason) = error else {
        Issue.record("It was opened: \(String(describing: error))")
        return
      }
      #expect(reason.contains("changes of 1 objects were not sent"))
      try old.acknowledge()
      let erased = try open()
      #expect(try erased.count(ChangeStreamTests.New.Item.all) == 0)
      // It is not a replica any more, and can become one again.
      try erased.write { try $0.insert(ChangeStreamTests.New.Item(id: 1, text: "a", rank: "1")) }
      #expect(try erased.outbox().isEmpty)
      try erased.replicate([ChangeStreamTests.New.Item.self], as: 4)
      #expect(try erased.outbox().values.map(\.stamp.replica) == [4])
    }
  }

  // MARK: Random programs

  /// Random statements in savepoints of any depth, by two stores of one file, which is opened again.
  @Test func theOutboxOfRandomProgramsIsTheRecordedOne() throws {
    for _ in 0..<Torture.steps(short: 12, long: 2_000) {
      var random = SeededGenerator.forTest("outbox")
      try withReplicatedStore { replica in
        for step in 0..<40 {
          replica.milliseconds += UInt64(random.below(3))
          // A clock that is set back gives later stamps all the same.
          if random.oneIn(9) { replica.milliseconds -= UInt64(random.below(5_000)) }
          func body(_ tx: inout Croft.WriteTransaction) throws {
            try operate(&tx, &random, depth: 0)
            if random.oneIn(6) { throw Refused() }
          }
          do {
            if random.oneIn(2) {
              try replica.writeUnbuffered(body)
            } else {
              try replica.opened.write(body)
            }
          } catch is Refused {}
          try replica.check("seed \(random.seed), step \(step)")
          if random.oneIn(5) { try replica.acknowledge() }
          if random.oneIn(10) { try replica.reopen() }
        }
      }
    }
  }

  private func operate(
    _ tx: inout Croft.WriteTransaction, _ random: inout SeededGenerator, depth: Int
  ) throws {
    for _ in 0..<1 + random.below(5) {
      if depth < 4, random.oneIn(4) {
        do {
          try tx.savepoint { tx in
            try operate(&tx, &random, depth: depth + 1)
            if random.oneIn(2) { throw Refused() }
          }
        } catch is Refused {}
      } else {
        // A statement that is refused changes nothing.
        do { try change(&tx, &random) } catch is StoreError {}
      }
    }
  }

  private func change(
    _ tx: inout Croft.WriteTransaction, _ random: inout SeededGenerator
  ) throws {
    func person() -> Ref<Person>? { random.oneIn(3) ? nil : Ref(random.below(6)) }
    func anyPerson(_ id: Int) -> Person {
      Person(
        id: id, boss: person(), friend: person(), guarantor: random.oneIn(4) ? person() : nil,
        fans: [person(), person()].compactMap { $0 })
    }
    func song(_ id: Int) -> Song {
      Song(
        id: id, title: random.pick(["a", "b"]), plays: random.below(3),
        note: random.pick([nil, "x"]))
    }
    let id = random.below(6)
    switch random.below(15) {
    case 0, 1: try tx.insert(song(id))
    case 2: try tx.upsert(song(id))
    case 3: try tx.update(Song.self, id) { $0.title = random.pick(["a", "b", "c"]) }
    case 4: try tx.update(Song.where { $0.plays == 1 }, set: (\.note, to: "x"), (\.plays, to: 2))
    case 5: try tx.delete(Song.self, id)
    case 6: try tx.delete(Song.where { $0.plays == 2 })
    case 7: try tx.insert(contentsOf: (10..<20).map { song($0) }.shuffled(using: &random))
    case 8: try tx.deleteAll(Song.self)
    case 9, 10: try tx.upsert(anyPerson(id))
    case 11: try tx.upsert(contentsOf: (0..<6).map { anyPerson($0) })
    case 12: try tx.delete(Person.self, id)
    case 13:
      try tx.upsert(
        Club(
          name: random.pick(["p", "q"]), chair: person(), founder: Ref(id),
          members: [person()].compactMap { $0 }))
    default: try tx.delete(Club.self, random.pick(["p", "q"]))
    }
  }
}
