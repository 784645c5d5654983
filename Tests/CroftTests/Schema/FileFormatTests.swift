import Croft
import Foundation
import Testing

/// A song with a field more, without one, and with the plays widened in another order.
enum Grown {
  @Model struct Song: Hashable {
    @PrimaryKey var id: Int
    var singer: String?
    @Indexed var genre: Genre
    @Indexed var title: String
    var plays: Int
    var rating: Double?
  }
}

/// Files that earlier versions of Croft wrote are opened by every later one.
///
/// They are in `Fixtures`, a file for each format, and hold `songs` and `albums`, written by the
/// models `Song` and `Album`. `CROFT_FIXTURES=folder swift test --filter FileFormatTests` writes
/// the file of the present format; where the format changes, that one is added, and none is ever
/// written again.
@Suite(.keepsFailedStores) struct FileFormatTests {
  static let formats = [2, 3, 4]
  static let songs = Song.numbered(0..<49)
  static let albums = [Album(name: "b", year: 1970), Album(name: "e\u{301}tudes", year: nil)]

  /// The file of a format.
  static func fixture(_ format: Int) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/format-\(format).croft")
  }

  static func withFixture(
    _ format: Int, _ body: (TemporaryStore) throws -> Void
  ) throws {
    let fixture = fixture(format)
    try withTemporaryStore(of: Song.self, Album.self, checksAtEnd: false) { temporary in
      try FileManager.default.copyItem(at: fixture, to: temporary.url)
      try body(temporary)
    }
  }

  @Test(arguments: formats)
  func aFileOfAnEarlierFormatIsReadAndLeftAsItIs(format: Int) throws {
    try Self.withFixture(format) { temporary in
      // The first opening adds the fingerprints of this program's models to the catalog.
      _ = try temporary.open()
      let before = try Data(contentsOf: temporary.url)
      let store = try temporary.open()
      #expect(try store.fetch(Song.all) == Self.songs)
      #expect(try store.fetch(Album.all) == Self.albums)
      #expect(
        try store.fetch(Song.where { $0.plays >= 8 && $0.genre == .jazz })
          == Self.songs.filter { $0.plays >= 8 && $0.genre == .jazz })
      #expect(try store.verify().problems == [])
      #expect(try store.verify().indexEntries == 98)
      #expect(try Data(contentsOf: temporary.url) == before)
    }
  }

  @Test(arguments: formats)
  func aFileOfAnEarlierFormatIsWrittenAndChanged(format: Int) throws {
    try Self.withFixture(format) { temporary in
      try temporary.open().write { _ = try $0.update(Song.self, 7) { $0.plays = 700 } }
      var songs = Self.songs
      songs[7].plays = 700
      do {
        let store = try Store.open(
          at: temporary.url, models: Grown.Song.self, options: .forTests)
        let twin = songs.map {
          Grown.Song(
            id: $0.id, genre: $0.genre, title: $0.title, plays: $0.plays, rating: $0.rating)
        }
        #expect(try store.fetch(Grown.Song.all) == twin)
        #expect(try store.fetch(Grown.Song.where { $0.title == "Song 9" }).map(\.id) == [9])
        try store.write { _ = try $0.update(Grown.Song.self, 9) { $0.singer = "Kim" } }
        #expect(try store.verify().problems == [])
      }
      let store = try temporary.open()
      #expect(try store.fetch(Song.all) == songs)
      #expect(try store.fetch(Album.all) == Self.albums)
      #expect(try store.verify().problems == [])
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["CROFT_FIXTURES"] != nil))
  func thePresentFormatIsWrittenWhereAskedFor() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["CROFT_FIXTURES"])
    let url = URL(filePath: folder).appending(path: "format-4.croft")
    do {
      let store = try Store.open(
        at: url, models: Song.self, Album.self, options: .forTests)
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<50))
        try tx.insert(contentsOf: Self.albums)
      }
      try store.write { _ = try $0.delete(Song.self, 49) }
    }
    try FileManager.default.removeItem(atPath: url.path + "-lock")
  }
}
