import Testing
import TestSupport

@testable import Croft

@Suite(.keepsFailedStores) struct WriteTransactionUpsertTests {
  @Test func thePolicyErrorRefusesATakenKeyAndReplaceDoesNot() throws {
    try withStore(of: Song.self) { store throws in
      try store.write { tx in
        #expect(try tx.upsert(Song(id: 1, title: "a"), .error) == .inserted)
        #expect(throws: StoreError.duplicateKey(model: "Song", fields: ["id"], key: "1")) {
          try tx.upsert(Song(id: 1, title: "b"), .error)
        }
        let replaced = try tx.upsert(Song(id: 1, title: "c", note: "new"), .replace)
        #expect(replaced == .updated(changed: ["title", "note"]))
      }
      #expect(try store.fetch(Song.all) == [Song(id: 1, title: "c", note: "new")])
    }
  }

  @Test func manyObjectsAreInsertedReplacedOrLeftInOneStatement() throws {
    try withStore(of: Song.self) { store throws in
      try store.write {
        try $0.insert(contentsOf: [Song(id: 1, title: "a"), Song(id: 2, title: "b")])
      }
      let songs = [
        Song(id: 2, title: "b"), Song(id: 3, title: "c"), Song(id: 1, title: "z"),
        Song(id: 3, title: "d"),
      ]
      let results = try store.write { try $0.upsert(contentsOf: songs) }
      #expect(
        results == [
          .unchanged, .inserted, .updated(changed: ["title"]), .updated(changed: ["title"]),
        ])
      #expect(try store.fetch(Song.all).map(\.title) == ["z", "b", "d"])
    }
  }

  /// References are looked up at the end of the statement, and one that dangles undoes all of it.
  @Test func manyObjectsMayReferToEachOtherAndAreRefusedTogether() throws {
    try withStore(of: Person.self, Club.self) { store throws in
      let first = Person(id: 1, friend: Ref(2))
      try store.write { try $0.upsert(contentsOf: [first, Person(id: 2, friend: Ref(1))]) }
      try store.write { tx in
        #expect(throws: StoreError.self) {
          try tx.upsert(contentsOf: [Person(id: 3), Person(id: 1), Person(id: 4, friend: Ref(9))])
        }
        try tx.upsert(Person(id: 5))
      }
      #expect(try store.fetch(Person.all).map(\.id) == [1, 2, 5])
      #expect(try store.fetch(Person.where { $0.id == 1 }) == [first])
    }
  }

  /// Two read one object, and each saves another change.
  @Test func mergingLosesNeitherOfTwoChangesAndTheLastOfTheSameWins() throws {
    try withStore(of: Song.self) { store throws in
      let read = Song(id: 1, title: "a", plays: 3, note: "n")
      try store.write { try $0.insert(read) }
      var (one, two) = (read, read)
      one.title = "one"
      one.plays = 4
      two.note = nil
      two.plays = 5
      let changes = try store.write { tx in
        [try tx.upsert(one, .merge(from: read)), try tx.upsert(two, .merge(from: read))]
      }
      #expect(
        changes == [
          .updated(changed: ["title", "plays"]), .updated(changed: ["plays", "note"]),
        ])
      #expect(try store.fetch(Song.all) == [Song(id: 1, title: "one", plays: 5)])
      #expect(try store.fetch(Song.where { $0.plays == 5 }).map(\.id) == [1])
      #expect(try store.count(Song.where { $0.plays == 4 }) == 0)
    }
  }

  @Test func mergingWhatDidNotChangeWritesNothing() throws {
    try withStore(of: Song.self) { store throws in
      let read = Song(id: 1, title: "a")
      try store.write { try $0.insert(Song(id: 1, title: "newer")) }
      let before = try store.sequence
      #expect(try store.write { try $0.upsert(read, .merge(from: read)) } == .unchanged)
      #expect(try store.sequence == before)
      #expect(try store.fetch(Song.all).map(\.title) == ["newer"])
    }
  }

  @Test func mergingIntoADeletedObjectInsertsIt() throws {
    try withStore(of: Song.self) { store throws in
      let read = Song(id: 1, title: "a", plays: 2)
      var changed = read
      changed.title = "b"
      #expect(try store.write { try $0.upsert(changed, .merge(from: read)) } == .inserted)
      #expect(try store.fetch(Song.all) == [changed])
    }
  }

  @Test func mergingFromAnotherKeyIsRefusedAndTheTransactionStaysUsable() throws {
    try withStore(of: Song.self) { store throws in
      try store.write { tx in
        #expect(throws: StoreError.primaryKeyChanged(model: "Song", key: "2")) {
          try tx.upsert(Song(id: 1, title: "a"), .merge(from: Song(id: 2, title: "a")))
        }
        try tx.insert(Song(id: 3, title: "c"))
      }
      #expect(try store.fetch(Song.all).map(\.id) == [3])
    }
  }

  @Test func aStaleObjectIsRefusedWithThePropertiesThatBothChanged() throws {
    try withStore(of: Song.self) { store throws in
      let read = Song(id: 1, title: "a", plays: 3, note: "n")
      try store.write { try $0.insert(Song(id: 1, title: "theirs", plays: 4, note: "n")) }
      var mine = read
      (mine.plays, mine.title) = (4, "mine")
      try store.write { tx throws in
        // Both set the same number of plays, which does not conflict.
        #expect(throws: StoreError.staleObject(model: "Song", fields: ["title"], key: "1")) {
          try tx.upsert(mine, .mergeUnlessStale(from: read))
        }
        (mine.title, mine.note) = (read.title, nil)
        #expect(
          try tx.upsert(mine, .mergeUnlessStale(from: read)) == .updated(changed: ["note"]))
        #expect(try tx.delete(Song.self, 1))
        #expect(throws: StoreError.staleObject(model: "Song", fields: [], key: "1")) {
          try tx.upsert(mine, .mergeUnlessStale(from: read))
        }
      }
      #expect(try store.fetch(Song.all).isEmpty)
    }
  }

  @Test func mergingUnlessStaleIsMergingOrARefusalForAllTypes() throws {
    var random = SeededGenerator.forTest("merge unless stale")
    var refusals = 0
    try withStore(of: Indexed.Thing.self) { store in
      let names = Indexed.Thing._schema.erased.columns.map(\.name)
      for _ in 0..<300 {
        let original = Indexed.Thing.random(7, &random)
        var (stored, mine) = (original, original)
        stored.change(&random)
        mine.change(&random)
        try store.write { _ = try $0.upsert(stored) }
        let bits = { (thing: Indexed.Thing) in thing.values.map { "\(bytes(of: $0))" } }
        let (before, there, saved) = (bits(original), bits(stored), bits(mine))
        let stale = before.indices.filter {
          there[$0] != before[$0] && saved[$0] != before[$0] && there[$0] != saved[$0]
        }.map { names[$0] }
        do {
          try store.write { _ = try $0.upsert(mine, .mergeUnlessStale(from: original)) }
          let expected = before.indices.map { saved[$0] == before[$0] ? there[$0] : saved[$0] }
          #expect(bits(try #require(try store.get(Indexed.Thing.self, 7))) == expected)
          #expect(stale.isEmpty, "seed \(random.seed)")
        } catch let error as StoreError {
          refusals += 1
          #expect(
            error == .staleObject(model: "Thing", fields: stale, key: "7"), "seed \(random.seed)")
          #expect(bits(try #require(try store.get(Indexed.Thing.self, 7))) == there)
        }
      }
    }
    #expect(refusals > 10)
  }

  @Test func mergingIsPropertyByPropertyForAllTypes() throws {
    var random = SeededGenerator.forTest("merge")
    try withStore(of: Indexed.Thing.self) { store in
      for _ in 0..<300 {
        let original = Indexed.Thing.random(7, &random)
        var (stored, mine) = (original, original)
        stored.change(&random)
        mine.change(&random)
        let result = try store.write { tx in
          try tx.upsert(stored)
          return try tx.upsert(mine, .merge(from: original))
        }
        let found = try #require(try store.get(Indexed.Thing.self, 7))
        let bits = { (thing: Indexed.Thing) in thing.values.map { "\(bytes(of: $0))" } }
        let (before, there, saved) = (bits(original), bits(stored), bits(mine))
        let expected = before.indices.map { saved[$0] == before[$0] ? there[$0] : saved[$0] }
        #expect(bits(found) == expected, "seed \(random.seed)")
        let changed = expected.indices.filter { expected[$0] != there[$0] }
          .map { Indexed.Thing._schema.erased.columns[$0].name }
        #expect(result == (changed.isEmpty ? .unchanged : .updated(changed: changed)))
      }
    }
  }

  /// Found by random programs: the parts of a struct that stayed nil were taken from the stored one,
  /// so that it became a mixture that nobody had saved.
  @Test func aStructIsMergedAsAWhole() throws {
    func address(_ street: String, _ zip: String?) -> Address {
      Address(street: street, zip: zip, point: Point(latitude: 1))
    }
    let original = Resident(id: 1, home: address("a", "1"))
    let values: [Address?] = [nil, address("b", nil), address("b", "2"), address("c", "2")]
    try withStore(of: Resident.self) { store in
      for (first, stored, mine) in values.flatMap({ first in
        values.flatMap { stored in values.map { (first, stored, $0) } }
      }) {
        var (read, there, saved) = (original, original, original)
        (read.work, there.work, saved.work) = (first, stored, mine)
        there.name = "theirs"
        try store.write { tx in
          try tx.upsert(there)
          let isStale = first != stored && first != mine && stored != mine
          let clash = StoreError.staleObject(model: "Resident", fields: ["work"], key: "1")
          if isStale {
            #expect(throws: clash) { try tx.upsert(saved, .mergeUnlessStale(from: read)) }
            try tx.upsert(saved, .merge(from: read))
          } else {
            try tx.upsert(saved, .mergeUnlessStale(from: read))
          }
        }
        let found = try #require(try store.get(Resident.self, 1))
        #expect(found.work == (first == mine ? stored : mine))
        #expect(found.name == "theirs" && found.home == original.home)
      }
    }
  }

  /// The value as the row holds it: NaN is itself, and spellings of one text differ.
  private func bytes(of value: StoredValue) -> [UInt8] {
    switch value {
    case .double(let number), .date(let number): Array("\(number.bitPattern)".utf8)
    case .string(let text): Array(text.utf8)
    default: Array("\(value)".utf8)
    }
  }
}
