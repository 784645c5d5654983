import Croft
import Foundation
import Testing

/// The code of the articles about queries and how they are planned.
@Suite struct QueriesSnippets {
  private func withSongs(_ body: (Store) throws -> Void) throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<60))
        try tx.insert(
          Song(id: 100, title: "Intro", plays: 100, genre: .jazz, note: "n", rating: 1))
        try tx.insert(Song(id: 101, title: "Intro", plays: 100, genre: .jazz))
      }
      try body(store)
    }
  }

  @Test func aLongConditionIsWrittenAsSeveral() throws {
    try withSongs { store in
      let query = Song.where { $0.plays >= 100 && $0.genre == .jazz }
        .where { $0.title.hasPrefix("Intro") || $0.note.isNil }
        .where { !$0.rating.isNil }
      let found = try store.fetch(query)
      #expect(found.map(\.id) == [100])
    }
  }

  @Test func groupsSectionsAndRowsAreRead() throws {
    try withSongs { store in
      var printed: [String] = []
      func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

      for group in try store.group(Song.all, by: \.genre, .count, .sum(of: \.plays)) {
        print(group.key, group.values.0, group.values.1)
      }
      let sections = try store.sections(Song.all.order(by: \.title), by: \.genre)
      try store.forEachRow(Song.all) { row in print(try row[\.title]) }

      #expect(printed.prefix(3) == ["none 20 90", "rock 20 90", "jazz 22 290"])
      let titles = try store.fetch(Song.all).map(\.title)
      #expect(printed.dropFirst(3) == titles[...])
      #expect(sections.map(\.key) == [.none, .rock, .jazz])
    }
  }

  @Test func aPlanIsPrinted() throws {
    try withSongs { store in
      var printed = ""
      func print(_ item: Any) { printed = "\(item)" }

      print(try store.explain(Song.where { $0.plays >= 100 && $0.title == "Intro" }))

      for word in ["plays", "title"] { #expect(printed.contains(word), "\(printed)") }
    }
  }
}
