import Foundation
import Testing
import TestSupport

@testable import Croft

/// A page of a list by the last object of the page before.
@Suite(.keepsFailedStores) struct QueryPageTests {
  /// Every kind of value that orders in its own way, with indexes in both directions.
  @Model struct Entry: Equatable {
    @PrimaryKey var id: Int
    @Indexed var day: Date
    @Indexed var rank: Int?
    @Indexed var score: Double?
    var title: String
    #Index<Entry>([\.rank.descending, \.day, \.title])
    #Index<Entry>([\.title, \.score.descending])
    #Index<Entry> { [$0.title.lowercased().ascending, $0.rank.descending] }
    #Unique<Entry>([\.rank, \.id])

    static func == (left: Self, right: Self) -> Bool { left.id == right.id }
  }

  /// An object whose primary key has two properties.
  @Model struct Seat: Equatable {
    @PrimaryKey var row: Int
    @PrimaryKey var number: String
    @Indexed var price: Int
  }

  private static func entry(_ id: Int, _ random: inout SeededGenerator) -> Entry {
    let day = random.oneIn(12) ? Double.nan : Double(random.below(5))
    let score: Double? = random.pick([nil, .nan, -.infinity, .infinity, -0.0, 0, 1.5])
    return Entry(
      id: id, day: Date(timeIntervalSinceReferenceDate: day),
      rank: random.oneIn(4) ? nil : random.below(3), score: score,
      title: random.pick(["", "a", "B", "b", "é", "e\u{301}", String(repeating: "x", count: 600)]))
  }

  private static let orders: [(String, Query<Entry>)] = [
    ("key", Entry.all),
    ("key descending", Entry.order(by: \.id.descending)),
    ("day", Entry.order(by: \.day)),
    ("day descending", Entry.order(by: \.day.descending)),
    ("rank, day", Entry.order(by: \.rank.descending, \.day, \.title)),
    ("rank, day back", Entry.order(by: \.rank, \.day.descending, \.title.descending)),
    ("rank and a part", Entry.order(by: \.rank.descending, \.day.descending)),
    ("score", Entry.order(by: \.score)),
    ("score descending, key", Entry.order(by: \.score.descending, \.id.descending)),
    ("title, score", Entry.order(by: \.title, \.score.descending)),
    ("title descending", Entry.order(by: \.title.descending, \.score, \.rank)),
    ("expression", Entry.order { [$0.title.lowercased().ascending, $0.rank.descending] }),
    ("expression back", Entry.order { [$0.title.lowercased().descending, $0.rank.ascending] }),
    ("filtered", Entry.where { $0.rank == 1 || $0.rank == nil }.order(by: \.rank, \.day)),
    ("equal", Entry.where { $0.rank == 1 }.order(by: \.rank, \.score)),
  ]

  /// The pages of a query one after the other.
  private func pages<M: Model>(_ query: Query<M>, _ count: Int, in store: Store) throws -> [[M]] {
    var pages: [[M]] = []
    repeat {
      pages.append(try store.fetch(query.page(after: pages.last?.last, count)))
    } while pages.last?.count == count
    return pages
  }

  @Test(arguments: 0..<6)
  func pagesFollowOneAnother(seed: Int) throws {
    try withStore(of: Entry.self) { store in
      var random = SeededGenerator(seed: UInt64(seed))
      let count = random.pick([7, 60, 300])
      try store.write { tx in
        try tx.insert(contentsOf: (0..<count).map { Self.entry($0, &random) })
      }
      for (name, query) in Self.orders {
        let all = try store.fetch(query).map(\.id)
        let size = random.pick([1, 3, 10, 1_000])
        let found = try pages(query, size, in: store)
        #expect(found.joined().map(\.id) == all, "\(name), \(count) by \(size), seed \(seed)")
        let last = try #require(try store.get(Entry.self, random.below(count)))
        guard let place = all.firstIndex(of: last.id) else { continue }
        let plans = try store.everyPlan(of: query.page(after: last, 5)) { found, plan in
          #expect(
            found.map(\.id) == Array(all.dropFirst(place + 1).prefix(5)),
            "\(name), plan \(plan), seed \(seed)")
        }
        #expect(plans > 1)
        #expect(
          try store.count(query.page(after: last, .max)) == all.count - place - 1,
          "\(name), seed \(seed)")
      }
    }
  }

  @Test func aPrimaryKeyOfSeveralPropertiesDecidesTies() throws {
    try withStore(of: Seat.self) { store in
      try store.write { tx in
        for row in 0..<6 {
          for number in ["a", "b", "c"] {
            try tx.insert(Seat(row: row, number: number, price: row % 2))
          }
        }
      }
      for query in [Seat.all, Seat.order(by: \.price), Seat.order(by: \.price.descending)] {
        #expect(try pages(query, 2, in: store).flatMap { $0 } == store.fetch(query))
        #expect(try pages(query, 5, in: store).flatMap { $0 } == store.fetch(query))
      }
    }
  }

  /// The object at the end of a page was deleted, and others came before it.
  @Test func aPageDoesNotDependOnWhatIsBeforeIt() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: (0..<20).map { Song(id: $0, title: "song", plays: $0) })
      }
      let list = Song.order(by: \.plays)
      let first = try store.fetch(list.page(after: nil, 5))
      try store.write { tx in
        try tx.delete(first[4])
        try tx.insert(Song(id: 30, title: "early", plays: -1))
      }
      #expect(try store.fetch(list.page(after: first[4], 5)).map(\.id) == [5, 6, 7, 8, 9])
    }
  }

  /// Every paged list once read all entries up to the page, or sorted what remained.
  @Test func aPageIsARangeOfTheIndex() throws {
    try withStore(of: Entry.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<2_000).map {
            Entry(
              id: $0, day: Date(timeIntervalSinceReferenceDate: Double($0 / 4)), rank: $0 % 5,
              title: "\($0)")
          })
      }
      let last = try #require(try store.get(Entry.self, 1_801))
      let (day, id, rank) = (last.day, last.id, last.rank ?? 0)
      let list = Entry.order(by: \.day)
      let byHand = Entry.where { $0.day > day || ($0.day == day && $0.id > id) }
      // Those that remain of 2,000, and nothing is tested on the rows.
      for query in [list.page(after: last, 50), byHand.order(by: \.day).limit(50)] {
        let found = try store.explain(query)
        #expect(found.access == .indexRange && found.residual == nil && found.order == .served)
        #expect(found.estimatedRows == 198 && found.isCounted)
      }
      let back = Entry.where { $0.day < day || ($0.day == day && $0.id > id) }
        .order(by: \.day.descending)
      let backwards = try store.explain(back.limit(50))
      #expect(backwards.access == .indexRange && backwards.residual == nil)
      #expect(backwards.order == .served)
      // The terms in one `or`, as well as nested in each other.
      let flat = Entry.where { entry in
        entry.rank < rank || (entry.rank == rank && entry.day > day)
          || (entry.rank == rank && entry.day == day && entry.title > last.title)
      }
      let three = Entry.order(by: \.rank.descending, \.day, \.title)
      let written = flat.order(by: \.rank.descending, \.day, \.title)
      for query in [written.limit(9), three.page(after: last, 9)] {
        let found = try store.explain(query)
        #expect(found.access == .indexRange && found.order == .served)
        #expect(found.indexes == ["rank, day, title"])
      }
      #expect(try store.fetch(written) == store.fetch(three.page(after: last, .max)))
    }
  }

  /// An `or` of one property's values and ranges was read by the union of several reads of the index.
  @Test func anOrOfRangesIsReadInOrder() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: (0..<1_000).map { Song(id: $0, title: "song", plays: $0) })
      }
      let query = Song.where { $0.plays < 3 || $0.plays == 500 || $0.plays > 997 }
        .order(by: \.plays.descending)
      let found = try store.explain(query)
      #expect(found.access == .indexRange && found.ranges == 3 && found.order == .served)
      #expect(found.residual == nil && found.estimatedRows == 6)
      #expect(try store.fetch(query).map(\.id) == [999, 998, 500, 2, 1, 0])
      // Ranges that meet are one.
      let all = Song.where { $0.plays < 500 || $0.plays >= 500 && $0.plays < 800 || $0.plays > 700 }
      #expect(try store.explain(all.order(by: \.plays)).ranges == 1)
      #expect(try store.count(all) == 1_000)
    }
  }

  #if compiler(>=6.2)
    @Test func aPageThatCannotBeFoundIsAProgrammersError() async {
      await #expect(processExitsWith: .failure) {
        _ = Song.all.distinct(by: \.genre).page(after: nil, 5)
      }
      await #expect(processExitsWith: .failure) {
        _ = Person.order(by: \.boss.id).page(after: Person(id: 1), 5)
      }
    }
  #endif
}
