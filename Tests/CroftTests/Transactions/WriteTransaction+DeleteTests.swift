import Croft
import Testing

@Suite(.keepsFailedStores) struct WriteTransactionDeleteTests {
  @Test func deletingAMissingKeyIsHarmless() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { tx in
        #expect(try !tx.delete(Song.self, 1))
        #expect(try !tx.delete(Album.self, "a"))
        try tx.insert(Album(name: "a", year: nil))
        #expect(try tx.delete(Album.self, "a"))
        #expect(try !tx.delete(Album.self, "a"))
      }
      #expect(try store.count(Album.all) == 0)
    }
  }

  @Test func aDeletedObjectIsGoneFromItsIndexesToo() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
      try store.write { tx throws in
        #expect(try tx.delete(Song.self, 33))
        #expect(try tx.get(Song.self, 33) == nil)
        #expect(try tx.count(Song.where { $0.plays == 3 }) == 9)
      }
      #expect(try store.fetch(Song.where { $0.plays == 3 }).contains { $0.id == 33 } == false)
    }
  }

  @Test func deletingByQueryDeletesExactlyWhatTheQueryFetches() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<1000)) }
      let queries: [Query<Song>] = [
        Song.where { $0.plays == 3 },
        Song.where { $0.plays > 7 && $0.title != "Song 8" },
        Song.where { $0.note.isNil },
        Song.where { $0.genre == .jazz }.order(by: \.title.descending).limit(10, offset: 5),
        Song.where { $0.id < 300 }.limit(7),
        Song.all.limit(0),
        Song.all.order(by: \.rating).limit(20),
      ]
      for query in queries {
        let (fetched, deleted, rest) = try store.write { tx in
          let fetched = try tx.fetch(query)
          let before = try tx.count(Song.all)
          let deleted = try tx.delete(query)
          return (fetched, deleted, before - (try tx.count(Song.all)))
        }
        #expect(fetched.count == deleted)
        #expect(rest == deleted)
        for song in fetched { #expect(try store.get(Song.self, song.id) == nil) }
      }
      #expect(try store.verify().isSound)
    }
  }

  @Test func deleteAllCountsAndEmptiesTheIndexes() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<500))
        try tx.insert(Album(name: "kept", year: nil))
      }
      try store.write { tx in
        // Entries in the buffers must be deleted as well.
        try tx.insert(Song(id: 1000, title: "new", plays: 1))
        #expect(try tx.deleteAll(Song.self) == 501)
        #expect(try tx.deleteAll(Song.self) == 0)
        #expect(try tx.count(Song.where { $0.plays == 1 }) == 0)
        try tx.insert(Song(id: 1, title: "again", plays: 1))
      }
      #expect(try store.fetch(Song.where { $0.plays == 1 }).map(\.title) == ["again"])
      #expect(try store.count(Album.all) == 1)
      #expect(try store.verify().indexEntries == 2)
    }
  }

  @Test func allButAFewOfManyCanBeDeletedInOneTransaction() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10_000)) }
      #expect(try store.write { try $0.delete(Song.where { $0.id != 4_321 }) } == 9_999)
      #expect(try store.fetch(Song.all).map(\.id) == [4_321])
    }
  }

  /// Where most of an index is deleted, the rest is kept and the tree rebuilt.
  @Test(arguments: [2, 4, 5, 7, 8, 9])
  func deletingMostObjectsLeavesTheIndexesOfTheOthersWhole(tenths: Int) throws {
    try withStore(of: Song.self) { store in
      let songs = Song.numbered(0..<6_000)
      try store.write { try $0.insert(contentsOf: songs) }
      let plays = Array(0..<tenths)
      let rest = songs.filter { $0.plays >= tenths }
      let count = try store.write { try $0.delete(Song.where { $0.plays.in(plays) }) }
      #expect(count == 6_000 - rest.count)
      #expect(try store.fetch(Song.all) == rest)
      for genre in Genre.allCases {
        let found = try store.fetch(Song.where { $0.genre == genre })
        #expect(found == rest.filter { $0.genre == genre })
      }
      #expect(try store.verify().indexEntries == 2 * rest.count)
    }
  }
}
