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

  @Test func anIndexOnAnExpressionIsFoundByItsName() throws {
    let store = try Store.inMemory(models: Session.self)
    let may = try #require(seoul.date(from: DateComponents(year: 2026, month: 5)))
    try store.write { tx in
      for day in 0..<700 {
        try tx.insert(
          Session(startedAt: may - 86_400 * Double(day - 20), title: "T", pages: day))
      }
    }
    let inMay = try store.count(Session.where { $0.month == may })
    let newest = try store.fetch(Session.all.order { [$0.month.descending] }.limit(10))
    let months = try store.fetch(Session.all.grouped(by: { $0.month }, .count))
    #expect(inMay == 21)
    #expect(newest.allSatisfy { $0.startedAt >= may })
    #expect(months.count == 24)
    let explanation = try store.explain(Session.where { $0.month == may })
    #expect(explanation.access == .indexEquality)
    let titles = Session.where { $0.title.lowercased() == "t" && $0.pages * 2 == 8 }
    #expect(try store.explain(titles).access == .indexEquality)
    #expect(try store.fetch(titles).map(\.pages) == [4])
  }

  @Test func anIndexOfANestedModelNamesWhatIsAroundIt() throws {
    let store = try Store.inMemory(models: Studio.Take.self)
    let first = try #require(
      seoul.dateInterval(of: .weekOfYear, for: Date(timeIntervalSinceReferenceDate: 0)))
    try store.write { tx in
      for day in 0..<700 {
        try tx.insert(Studio.Take(id: day, startedAt: first.start + 86_400 * Double(day)))
      }
    }
    let week = Studio.Take.where {
      $0.startedAt.start(of: .weekOfYear, in: Studio.calendar) == first.start
    }
    #expect(try store.fetch(week).map(\.id) == Array(0..<7))
    #expect(try store.explain(week).access == .indexEquality)
  }
}

enum Studio {
  static let calendar = seoul

  @Model struct Take {
    @PrimaryKey var id: Int
    var startedAt: Date
    #Index<Take> { [$0.startedAt.start(of: .weekOfYear, in: Studio.calendar).descending] }
  }
}

private let seoul: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = TimeZone(identifier: "Asia/Seoul") ?? .gmt
  return calendar
}()

@Model struct Session {
  @PrimaryKey var id: UUID = .timeOrdered()
  var startedAt: Date
  var title: String
  var pages = 0
  #Index<Session> { [$0.month.descending] }
  #Index<Session> { [$0.title.lowercased().ascending, ($0.pages * 2).descending] }
}

extension QueryColumn where M: Model, Value == Session {
  var month: QueryColumn<M, Date> { self.startedAt.start(of: .month, in: seoul) }
}
