import Foundation
import Testing
import TestSupport

@testable import Croft

@Suite(.keepsFailedStores) struct WriteTransactionSetTests {
  @Test func settingAPropertyChangesItInTheObjectsOfTheQueryAlone() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      let counts = try store.write { tx in
        [
          try tx.update(Song.where { $0.plays == 3 }, set: \.genre, to: .jazz),
          try tx.update(
            Song.where { $0.plays >= 8 }, set: \.title, to: "a longer title than it was"),
          try tx.update(Song.where { $0.id < 4 }, set: \.note, to: nil),
          try tx.update(Song.where { $0.id < 0 }, set: \.note, to: "nobody"),
        ]
      }
      #expect(counts == [4, 8, 4, 0])
      let expected = Song.numbered(0..<40).map { song in
        var song = song
        if song.plays == 3 { song.genre = .jazz }
        if song.plays >= 8 { song.title = "a longer title than it was" }
        if song.id < 4 { song.note = nil }
        return song
      }
      #expect(try store.fetch(Song.all) == expected)
      let jazz = try store.fetch(Song.where { $0.genre == .jazz })
      #expect(jazz == expected.filter { $0.genre == .jazz })
    }
  }

  @Test func settingTheIndexedPropertyThatTheQueryReadsIsSettledFirst() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      let count = try store.write {
        try $0.update(Song.where { $0.plays >= 3 }, set: \.plays, to: 9)
      }
      #expect(count == 28)
      #expect(try store.count(Song.where { $0.plays == 9 }) == 28)
      #expect(try store.count(Song.where { $0.plays > 2 && $0.plays < 9 }) == 0)
    }
  }

  @Test func settingWhatIsThereAlreadyCommitsNothing() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      let before = try store.sequence
      let count = try store.write { try $0.update(Song.where { $0.id == 4 }, set: \.plays, to: 4) }
      #expect(count == 1)
      #expect(try store.sequence == before)
    }
  }

  /// A row whose value no case of the enum has can be set, because nothing of it is decoded.
  @Test func settingDecodesNothing() throws {
    try withTemporaryStore(of: Older.Day.self) { temporary in
      do {
        let newer = try Store.open(
          at: temporary.url, models: Newer.Day.self, options: .forTests)
        try newer.write { try $0.insert(Newer.Day(id: 1, mood: .wild, other: .wild)) }
      }
      let store = try temporary.open()
      #expect(throws: StoreError.self) { try store.fetch(Older.Day.all) }
      try store.write { tx in
        try tx.update(Older.Day.all, set: \.mood, to: .glad)
        try tx.update(Older.Day.all, set: (\.mood, to: .glad), (\.other, to: nil))
      }
      #expect(try store.fetch(Older.Day.where { $0.mood == .glad }).map(\.id) == [1])
    }
  }

  @Test func severalPropertiesAreSetInOnePass() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      let long = String(repeating: "long ", count: 20_000)
      let count = try store.write {
        try $0.update(
          Song.where { $0.plays >= 3 }, set: (\.plays, to: 9), (\.note, to: nil),
          (\.title, to: long),
          (\.genre, to: .jazz), (\.rating, to: 0.5))
      }
      #expect(count == 28)
      let expected = Song.numbered(0..<40).map { song in
        song.plays < 3
          ? song
          : Song(id: song.id, title: long, plays: 9, genre: .jazz, note: nil, rating: 0.5)
      }
      #expect(try store.fetch(Song.all) == expected)
      let before = try store.sequence
      try store.write {
        _ = try $0.update(
          Song.where { $0.plays == 9 }, set: (\.note, to: nil), (\.genre, to: .jazz))
      }
      #expect(try store.sequence == before)
    }
  }

  @Test func settingOnePropertyTwiceTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = try Store.inMemory(models: Song.self)
      _ = try store.write {
        try $0.update(Song.all, set: (\.plays, to: 3), (\.title, to: ""), (\.plays, to: 4))
      }
    }
  }

  @Test func settingAPartOfACompoundKeyTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = try Store.inMemory(models: Track.self)
      _ = try store.write { try $0.update(Track.all, set: \.number, to: 3) }
    }
  }

  @Test func settingThePrimaryKeyTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = try Store.inMemory(models: Song.self)
      _ = try store.write { try $0.update(Song.all, set: \.id, to: 3) }
    }
  }

  @Test func settingAnyPropertyOfAnyTypeIsWhatAnUpdateDoes() throws {
    var random = SeededGenerator.forTest("set")
    try withStore(of: Indexed.Thing.self) { store in
      var twin: [Int16: Indexed.Thing] = [:]
      for id in Int16(0)..<60 { twin[id] = .random(id, &random) }
      try store.write { try $0.insert(contentsOf: Array(twin.values)) }
      for _ in 0..<120 {
        let first = Int16(random.below(60))
        let query = Indexed.Thing.where { $0.id >= first && $0.id < first + 9 }
        let model = Indexed.Thing.random(0, &random)
        func set<V: Storable>(_ property: WritableKeyPath<Indexed.Thing, V>) throws {
          try store.write { _ = try $0.update(query, set: property, to: model[keyPath: property]) }
          for id in first..<first + 9 { twin[id]?[keyPath: property] = model[keyPath: property] }
        }
        switch random.below(8) {
        case 0: try set(\.flag)
        case 1: try set(\.small)
        case 2: try set(\.ratio)
        case 3: try set(\.title)
        case 4: try set(\.note)
        case 5: try set(\.day)
        case 6: try set(\.bytes)
        default: try set(\.genre)
        }
        let found = try store.fetch(Indexed.Thing.all)
        let expected = twin.values.sorted { $0.id < $1.id }
        let isSame = zip(found, expected).allSatisfy { $0.isSame(as: $1) }
        #expect(isSame && found.count == 60, "seed \(random.seed)")
      }
    }
  }
}
