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

  /// A walk against the index reads a large group of equal values again from its front.
  ///
  /// It once read all of the group, where a range begins in it: the store was called damaged.
  @Test(arguments: [63, 64, 65, 66, 200])
  func aPageBeginsInALargeGroup(count: Int) throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        for plays in 0..<3 {
          try tx.insert(
            contentsOf: (0..<count).map {
              Song(id: 1_000 * plays + $0, title: "song", plays: plays)
            })
        }
      }
      let list = Song.order(by: \.plays.descending)
      let all = try store.fetch(list).map(\.id)
      for place in [0, 1, count / 2, count - 2, count - 1, count, 2 * count + 3, 3 * count - 1] {
        let last = try #require(try store.get(Song.self, all[place]))
        for size in [5, count, 3 * count] {
          _ = try store.everyPlan(of: list.page(after: last, size)) { found, plan in
            #expect(
              found.map(\.id) == Array(all[(place + 1)...].prefix(size)),
              "after \(place), \(size), plan \(plan)")
          }
        }
      }
      // A group of which many ranges have a part each.
      let even = (0..<count).map { 1_000 + $0 }.filter { $0 % 2 == 0 }
      let some = Song.where { $0.plays.in([1, 2]) && $0.id.in(even) }.order(by: \.plays.descending)
      _ = try store.everyPlan(of: some) { found, plan in
        #expect(found.map(\.id) == even, "plan \(plan)")
      }
    }
  }

  /// A page is a query as any other: it is observed, and read in a transaction that has changed the list.
  @Test func aPageIsObservedAndReadWithinAWrite() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: (0..<200).map { Song(id: $0, title: "song", plays: $0 % 2) })
      }
      var random = SeededGenerator.forTest("pages observed")
      let list = Song.order(by: \.plays.descending)
      let last = try #require(try store.get(Song.self, 101))
      let page = list.page(after: last, 20)
      let (viewer, token) = store.show(page)
      for _ in 0..<50 {
        try store.write { tx in
          let id = 95 + random.below(40)
          if random.oneIn(3) {
            try tx.delete(Song.self, id)
          } else {
            try tx.upsert(Song(id: id, title: "new", plays: random.below(3)))
          }
          let all = try tx.fetch(list)
          let rest = all.drop { ($0.plays, -$0.id) >= (last.plays, -last.id) }
          #expect(try tx.fetch(page) == Array(rest.prefix(20)), "seed \(random.seed)")
        }
        store.live.drain()
        #expect(try viewer.list == store.fetch(page), "seed \(random.seed)")
      }
      #expect(token.error == nil && viewer.changes.count > 5)
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

  /// A test of one property, for the store and in Swift.
  private typealias Atom = (
    column: @Sendable (QueryColumn<Entry, Entry>) -> QueryCondition<Entry>, holds: (Entry) -> Bool
  )

  private static func atom(_ random: inout SeededGenerator) -> Atom {
    let (rank, id) = (random.below(4), random.below(60))
    let title = random.pick(["a", "b", "é"])
    let seconds = Double(random.below(5))
    let day = Date(timeIntervalSinceReferenceDate: seconds)
    // A comparison of dates with NaN is true in Foundation where it is made of `<`.
    func isEarly(_ entry: Entry) -> Bool { entry.day.timeIntervalSinceReferenceDate <= seconds }
    switch random.below(9) {
    case 0: return ({ $0.rank == rank }, { $0.rank == rank })
    case 1: return ({ $0.rank > rank }, { $0.rank.map { $0 > rank } ?? false })
    case 2: return ({ $0.rank < rank }, { $0.rank.map { $0 < rank } ?? false })
    case 3: return ({ $0.rank.isNil }, { $0.rank == nil })
    case 4: return ({ !$0.rank.isNil }, { $0.rank != nil })
    case 5: return ({ $0.day <= day }, isEarly)
    case 6: return ({ !($0.day <= day) }, { !isEarly($0) })
    case 7: return ({ $0.title == title }, { $0.title == title })
    default: return ({ $0.id > id }, { $0.id > id })
    }
  }

  /// Terms of several tests each, beside other tests: what an index answers of one term it need not answer
  /// of the next.
  @Test(arguments: 0..<6)
  func anOrFindsWhatALoopFinds(seed: Int) throws {
    try withStore(of: Entry.self) { store in
      var random = SeededGenerator(seed: UInt64(seed))
      let entries = (0..<60).map { Self.entry($0, &random) }
      try store.write { try $0.insert(contentsOf: entries) }
      for _ in 0..<Torture.steps(short: 60, long: 6_000) {
        let around = (0..<random.below(3)).map { _ in Self.atom(&random) }
        let terms = (0..<2 + random.below(3)).map { _ in
          (0..<1 + random.below(3)).map { _ in Self.atom(&random) }
        }
        let query = Entry.where { entry in
          let parts = terms.map { term in
            term.dropFirst().reduce(term[0].column(entry)) { $0 && $1.column(entry) }
          }
          let either = parts.dropFirst().reduce(parts[0]) { $0 || $1 }
          return around.reduce(either) { $0 && $1.column(entry) }
        }
        let expected = entries.filter { entry in
          around.allSatisfy { $0.holds(entry) }
            && terms.contains { $0.allSatisfy { $0.holds(entry) } }
        }
        for ordered in [query, query.order(by: \.rank.descending), query.order(by: \.day)] {
          _ = try store.everyPlan(of: ordered) { found, plan in
            #expect(
              Set(found.map(\.id)) == Set(expected.map(\.id)) && found.count == expected.count,
              "plan \(plan), seed \(seed): \(ordered.core.condition.text)")
          }
        }
        #expect(
          try store.count(query) == expected.count, "seed \(seed): \(query.core.condition.text)")
      }
    }
  }

  /// A row after the end of a page was read with it, and a damaged one failed the page.
  @Test(arguments: [1, 50]) func noRowAfterTheEndIsRead(count: Int) throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<6_000).map { Song(id: $0, title: "Song \($0).", plays: $0 / 3) })
      }
      // So many that a sort of all of them costs more than a walk over the index.
      try store.damageRow(count, .short, value: "Song \(count).")
      let list = Song.order(by: \.plays)
      #expect(try store.fetch(list.page(after: nil, count)).map(\.id) == Array(0..<count))
      #expect(try store.fetch(list.limit(1, offset: count - 1)).map(\.id) == [count - 1])
      // A limit of many rows is read in batches as before.
      for rest in [list.limit(count + 1), list.limit(550), list] {
        #expect(throws: StoreError.self) { try store.fetch(rest) }
      }
      try store.write { tx in
        _ = try tx.delete(Song.self, count)
        for limit in [count + 1, 300, 550] {
          #expect(
            try tx.fetch(list.limit(limit)).map(\.id)
              == Array((0..<6_000).filter { $0 != count }.prefix(limit)))
        }
      }
    }
  }

  #if compiler(>=6.2)
    @Test func aPageThatCannotBeFoundIsAProgrammersError() async {
      await #expect(processExitsWith: .failure) {
        _ = Song.all.distinct(by: \.genre).page(after: nil, 5)
      }
      await #expect(processExitsWith: .failure) {
        _ = Paper.search("a").page(after: Paper(id: 1, title: "a"), 5)
      }
      await #expect(processExitsWith: .failure) {
        _ = Paper.search("a").page(after: nil, 5)
      }
      await #expect(processExitsWith: .failure) {
        _ = Person.order(by: \.boss.id).page(after: Person(id: 1), 5)
      }
      await #expect(processExitsWith: .failure) {
        let house = House(id: 1, number: 1)
        let tenant = Tenant(id: 1, name: "Ann", house: Ref(house), born: 1)
        _ = Tenant.order { [($0.words.count * 2).ascending] }.page(after: tenant, 5)
      }
    }
  #endif
}
