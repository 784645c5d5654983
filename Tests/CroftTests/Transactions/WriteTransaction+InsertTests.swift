import Croft
import Testing
import TestSupport

@Suite(.keepsFailedStores) struct WriteTransactionInsertTests {
  @Test func anInsertedObjectIsSeenInsideTheTransaction() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 7, title: "a", plays: 3))
        #expect(try tx.get(Song.self, 7)?.title == "a")
        #expect(try tx.fetch(Song.all).count == 1)
        // The index's entry is still in the transaction's buffer here.
        #expect(try tx.fetch(Song.where { $0.plays == 3 }).map(\.id) == [7])
        #expect(try tx.count(Song.where { $0.plays > 3 }) == 0)
        try tx.insert(Song(id: 8, title: "b", plays: 4))
        #expect(try tx.count(Song.where { $0.plays >= 3 }) == 2)
        #expect(try tx.first(Song.where { $0.plays > 3 })?.id == 8)
      }
    }
  }

  @Test func aDuplicateKeyIsRefusedAndTheTransactionStaysUsable() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: -5, title: "first", plays: 1))
        #expect(throws: StoreError.duplicateKey(model: "Song", fields: ["id"], key: "-5")) {
          try tx.insert(Song(id: -5, title: "second", plays: 2))
        }
        try tx.insert(Song(id: 6, title: "third"))
        try tx.insert(Album(name: "Café", year: nil))
        // The same text to a reader and to Swift: one key.
        #expect(throws: StoreError.duplicateKey(model: "Album", fields: ["name"], key: "\"Café\""))
        {
          try tx.insert(Album(name: "Cafe\u{301}", year: nil))
        }
      }
      #expect(try store.fetch(Song.all).map(\.title) == ["first", "third"])
      #expect(try store.count(Song.where { $0.plays == 2 }) == 0)
    }
  }

  @Test func aDuplicateKeyThatIsNotCaughtUndoesAll() throws {
    try withStore(of: Song.self) { store throws in
      let error = #expect(throws: StoreError.self) {
        try store.write {
          try $0.insert(contentsOf: [Song(id: 1, title: "a"), Song(id: 1, title: "b")])
        }
      }
      #expect(error?.isRetryable == false)
      #expect(error?.description.contains("upsert") == true)
      #expect(try store.count(Song.all) == 0)
    }
  }

  @Test func aBulkInsertWithADuplicateInsertsNothingAndTheTransactionStaysUsable() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 5, title: "there"))
        #expect(throws: StoreError.duplicateKey(model: "Song", fields: ["id"], key: "5")) {
          try tx.insert(contentsOf: Song.numbered(0..<10))
        }
        #expect(try tx.count(Song.where { $0.plays == 3 }) == 0)
        try tx.insert(Song(id: 3, title: "free"))
      }
      #expect(try store.fetch(Song.all).map(\.id) == [3, 5])
      #expect(try store.get(Song.self, 5)?.title == "there")
    }
  }

  @Test(arguments: [0, 1, 255, 256, 257, 5000])
  func aBulkInsertOfAnySizeIsWhole(count: Int) throws {
    try withStore(of: Song.self) { store in
      // Descending keys take the path that does not append.
      let songs = Array(Song.numbered(0..<count).reversed())
      try store.write { try $0.insert(contentsOf: songs) }
      #expect(try store.fetch(Song.all) == Song.numbered(0..<count))
      #expect(try store.count(Song.where { $0.plays == 3 }) == songs.count { $0.plays == 3 })
    }
  }

  @Test func aKeyPast200BytesIsRefusedAndTheTransactionStaysUsable() throws {
    try withStore(of: Album.self) { store in
      // 198 bytes and an end mark of two.
      let longest = String(repeating: "x", count: 198)
      try store.write { tx in
        try tx.insert(Album(name: longest, year: 1))
        #expect(throws: StoreError.keyTooLong(model: "Album", field: "name", bytes: 201)) {
          try tx.insert(Album(name: longest + "y", year: 2))
        }
        #expect(throws: StoreError.keyTooLong(model: "Album", field: "name", bytes: 201)) {
          try tx.upsert(Album(name: longest + "y", year: 2))
        }
        try tx.insert(Album(name: "short", year: 3))
      }
      #expect(try store.fetch(Album.all).map(\.year) == [3, 1])
      #expect(try store.get(Album.self, longest)?.year == 1)
    }
  }

  @Test(arguments: [199, 509, 510, 511, 512, 5000])
  func aKeyTooLongToExistIsSimplyNotThere(bytes: Int) throws {
    try withStore(of: Album.self) { store in
      let name = String(repeating: "x", count: bytes)
      try store.write { tx in
        try tx.insert(Album(name: "a", year: 1))
        #expect(try tx.get(Album.self, name) == nil)
        #expect(try tx.update(Album.self, name) { $0.year = 2 } == nil)
        #expect(try !tx.delete(Album.self, name))
        #expect(try tx.count(Album.where { $0.name == name }) == 0)
        #expect(try tx.count(Album.where { $0.name < name }) == 1)
        #expect(try tx.delete(Album.where { $0.name.in([name]) }) == 0)
      }
      #expect(try store.get(Album.self, name) == nil)
      #expect(try store.fetch(Album.where { $0.name != name }).count == 1)
    }
  }

  @Test func aBulkInsertInNoOrderKeepsEveryObjectAndItsEntries() throws {
    var random = SeededGenerator.forTest("bulk insert in no order")
    let songs = Song.numbered(0..<5000).shuffled(using: &random)
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: songs.prefix(2000))
        try tx.insert(contentsOf: songs.dropFirst(2000))
        #expect(try tx.count(Song.where { $0.plays == 3 }) == 500)
      }
      #expect(try store.fetch(Song.all) == Song.numbered(0..<5000))
      #expect(try store.verify().problems == [])
    }
  }

  @Test func aDuplicateAmongObjectsInNoOrderIsNamedAndNothingIsInserted() throws {
    try withStore(of: Song.self) { store in
      let songs = Song.numbered(0..<100).reversed() + Song.numbered(40..<41)
      try store.write { tx in
        try tx.insert(Song(id: 1000, title: "before"))
        #expect(throws: StoreError.duplicateKey(model: "Song", fields: ["id"], key: "40")) {
          try tx.insert(contentsOf: songs)
        }
        #expect(throws: StoreError.duplicateKey(model: "Song", fields: ["id"], key: "1000")) {
          try tx.insert(contentsOf: [Song(id: 2000, title: "2"), Song(id: 1000, title: "1")])
        }
        try tx.insert(contentsOf: Song.numbered(7..<9))
      }
      #expect(try store.fetch(Song.all).map(\.id) == [7, 8, 1000])
    }
  }
}
