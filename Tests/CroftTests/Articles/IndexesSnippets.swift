import Croft
import Foundation
import Testing

/// The code of the article about indexes.
@Suite struct IndexesSnippets {
  @Model struct Song {
    @PrimaryKey var id: UUID = .timeOrdered()
    @Indexed var plays = 0
    @Indexed(.caseFolded) var title: String
    @Indexed(.unique) var code: String?
    @Indexed var tags: [String] = []
    var album: String
    var track: Int
    #Index<Song>([\.album, \.plays.descending])
    #Unique<Song>([\.album, \.track])
  }

  @Test func eachOfItsIndexesIsUsedAndKeptUp() throws {
    let store = try Store.inMemory(models: Song.self)
    try store.write { tx in
      for track in 1...300 {
        try tx.insert(
          Song(
            plays: track % 50, title: "Title \(track)", tags: ["tag \(track % 60)"],
            album: "album \(track % 40)", track: track))
      }
      #expect(throws: StoreError.self) {
        try tx.insert(Song(title: "", album: "album 7", track: 7))
      }
      try tx.insert(Song(title: "", code: "a", album: "b", track: 1))
      #expect(throws: StoreError.self) {
        try tx.insert(Song(title: "", code: "a", album: "b", track: 2))
      }
    }
    for query in [
      Song.where { $0.plays == 7 }, Song.where { $0.code == "a" },
      Song.where { $0.title.equals("TITLE 7", options: .caseInsensitive) },
      Song.where { $0.tags.contains("tag 7") },
      Song.where { $0.album == "album 7" }.order(by: \.plays.descending),
      Song.where { $0.album == "album 7" && $0.track == 7 },
    ] {
      #expect(!(try store.explain(query).description.contains("scan")), "\(query)")
      #expect(try store.count(query) > 0, "\(query)")
    }
    #expect(try store.verify().problems == [])
  }
}
