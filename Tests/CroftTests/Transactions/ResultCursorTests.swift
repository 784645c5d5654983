import Croft
import Testing

@Suite(.keepsFailedStores) struct ResultCursorTests {
  /// Sizes on both sides of what is decoded at a time.
  @Test(arguments: [0, 1, 63, 64, 65, 128, 1_000])
  func aCursorGivesWhatAFetchDoes(count: Int) throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<count)) }
      for query in [
        Song.all, Song.all.order(by: \.title.descending), Song.where { $0.plays == 3 },
        Song.all.order(by: \.rating).limit(70, offset: 2),
      ] {
        let cursor = try store.fetchCursor(query)
        var songs: [Song] = []
        while let song = try cursor.next() { songs.append(song) }
        #expect(songs == (try store.fetch(query)) && cursor.count == songs.count)
        #expect(try cursor.next() == nil)
      }
    }
  }

  @Test func whatIsCommittedMeanwhileDoesNotShow() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<200)) }
      let cursor = try store.fetchCursor(Song.all)
      #expect(try cursor.next()?.id == 0)
      try store.write { tx in
        try tx.deleteAll(Song.self)
        try tx.insert(Song(id: 150, title: "later"))
      }
      var rest: [Song] = []
      while let song = try cursor.next() { rest.append(song) }
      #expect(rest == Song.numbered(1..<200))
    }
  }
}
