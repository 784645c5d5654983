import Croft
import Dispatch
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

  @Test func aListIsReadByPages() throws {
    try withSongs { store in
      let list = Song.order(by: \.plays.descending)
      let first = try store.fetch(list.page(after: nil, 10))
      let second = try store.fetch(list.page(after: first.last, 10))
      #expect(first + second == (try store.fetch(list.limit(20))))
    }
  }

  @Test func groupsSectionsAndRowsAreRead() throws {
    try withSongs { store in
      var printed: [String] = []
      func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

      for group in try store.fetch(Song.all.grouped(by: \.genre, .count, .sum(\.plays))) {
        print(group.key, group.values.0, group.values.1)
      }
      let sections = try store.fetch(Song.all.order(by: \.title).sections(by: \.genre))
      try store.forEachRow(Song.all) { row in print(try row[\.title]) }

      #expect(printed.prefix(3) == ["none 20 90", "rock 20 90", "jazz 22 290"])
      let titles = try store.fetch(Song.all).map(\.title)
      #expect(printed.dropFirst(3) == titles[...])
      #expect(sections.map(\.key) == [.none, .rock, .jazz])

      printed = []
      for section in sections { print(section.key, section.objects.map(\.title)) }
      #expect(printed.count == 3)
    }
  }

  @Model struct Book: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var genre: Genre
  }

  @Model struct Session: Hashable {
    @PrimaryKey var id: Int
    var book: Ref<Book>?
    var startedAt: Date
    var pages: Int
  }

  @Test func expressionsGroupOrderAndAddUp() throws {
    try withStore(of: Session.self, Book.self) { store in
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      try store.write { tx in
        try tx.insert(contentsOf: [
          Book(id: 1, title: "Long title", genre: .jazz), Book(id: 2, title: "Title", genre: .rock),
        ])
        for (id, book, day) in [(1, 1, 0.0), (2, 1, 40), (3, 2, 41), (4, 2, 41)] {
          let start = Date(timeIntervalSinceReferenceDate: day * 86_400)
          try tx.insert(Session(id: id, book: Ref(book), startedAt: start, pages: id))
        }
        try tx.insert(Session(id: 5, startedAt: Date(timeIntervalSinceReferenceDate: 0), pages: 5))
      }
      var printed: [String] = []
      func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

      let months = try store.fetch(
        Session.all.grouped(
          by: { ($0.startedAt.start(of: .month, in: calendar), $0.book.genre) }, .count,
          .sum { $0.pages * 2 }))
      for month in months { print(month.key.0, month.key.1 as Any, month.values.0, month.values.1) }
      let days = try store.sections(Session.all, by: { $0.startedAt.start(of: .day, in: calendar) })
      let longest = try store.fetch(Session.all.order { [$0.book.title.count.descending] })

      let byGenre = Session.all.order { [$0.book.genre.descending, $0.pages.ascending] }
      let recent = Session.all.order(by: \.startedAt.descending, \.pages)
      #expect(try store.fetch(byGenre).map(\.id) == [1, 2, 3, 4, 5])
      let byBook = Session.all.order(by: \.book.title, \.startedAt)
      let byClosure = Session.all.order { [$0.book.title.ascending, $0.startedAt.ascending] }
      #expect(try store.fetch(byBook) == store.fetch(byClosure))
      #expect(try store.fetch(recent).map(\.id) == [3, 4, 2, 1, 5])

      #expect(months.map(\.key.1) == [nil, .jazz, .rock, .jazz])
      #expect(months.map(\.values.0) == [1, 1, 2, 1])
      #expect(months.map(\.values.1) == [10, 2, 14, 4])
      #expect(printed.count == 4)
      #expect(days.map { $0.objects.map(\.id) } == [[1, 5], [2], [3, 4]])
      #expect(longest.map(\.id) == [1, 2, 3, 4, 5])
    }
  }

  @Test func anAggregateIsReadOnceOrFollowed() throws {
    try withStore(of: Session.self, Book.self) { store in
      try store.write { tx in
        try tx.insert(Book(id: 1, title: "Title", genre: .jazz))
        try tx.insert(Session(id: 1, book: Ref(1), startedAt: .distantPast, pages: 7))
        try tx.insert(Session(id: 2, startedAt: .distantPast, pages: 1))
      }
      let queue = DispatchQueue(label: "aggregates")
      let shown = Recorder<String>()
      @Sendable func show(_ text: String) { shown.add(text) }

      let pages = try store.fetch(Session.all.sum(\.pages))
      let twice = try store.fetch(Session.all.sum { $0.pages * 2 })
      let total = store.observe(Session.all.sum(\.pages), on: .queue(queue)) { pages in
        show("\(pages) pages")
      }
      let genres = store.observe(
        Session.all.grouped(by: { $0.book.genre }, .count), on: .queue(queue)
      ) { groups in show("\(groups.map(\.values)) sessions") }

      #expect(pages == 8 && twice == 16)
      func drain() {
        store.drainObservers()
        queue.sync {}
      }
      drain()
      #expect(Set(shown.all) == ["8 pages", "[1, 1] sessions"])
      try store.write { tx in
        try tx.insert(Session(id: 3, book: Ref(1), startedAt: .distantPast, pages: 2))
      }
      drain()
      #expect(Set(shown.all.dropFirst(2)) == ["10 pages", "[1, 2] sessions"])
      for token in [total, genres] { token.cancel() }
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
