import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Croft

/// A query that is kept makes its plans once, and still sees every change of rows and schema.
@Suite(.keepsFailedStores) struct KeptQueryTests {
  /// `store.count(query)` chose a way to the rows each time, as if the query were a new one.
  @Test func aQueryThatRanBeforeFindsItsPlans() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
      let query = Song.where { $0.plays == 7 && $0.title != "x" }.order(by: \.title).limit(5)
      // A query that runs once keeps nothing.
      #expect(try store.plans(of: query, .rows) == nil)
      for purpose in [Plan.Purpose.rows, .count] {
        _ = try store.plans(of: query, purpose)
        let kept = try #require(try store.plans(of: query, purpose))
        _ = (try store.fetch(query), try store.count(query))
        #expect(try store.plans(of: query, purpose) === kept)
        let copy = query
        #expect(try store.plans(of: copy, purpose) === kept)
        #expect(try store.plans(of: copy.where { $0.id >= 0 }, purpose) == nil)
        #expect(copy == query && copy.hashValue == query.hashValue)
      }
    }
  }

  @Test func aChangedCopyHasPlansOfItsOwn() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
      let query = Song.where { $0.plays == 7 }
      let copies: [(Query<Song>, (Song) -> Bool)] = [
        (query, { $0.plays == 7 }), (query.where { $0.id > 50 }, { $0.plays == 7 && $0.id > 50 }),
        (query.order(by: \.id), { $0.plays == 7 }),
      ]
      for _ in 0..<3 {
        for (query, matches) in copies {
          let expected = Song.numbered(0..<100).filter(matches)
          #expect(try store.fetch(query) == expected)
          #expect(try store.count(query) == expected.count)
        }
        #expect(try store.fetch(query.limit(2, offset: 1)).map(\.id) == [17, 27])
        #expect(try store.fetch(query.order(by: \.id.descending).limit(1)).map(\.id) == [97])
        #expect(try store.fetch(query.distinct(by: \.genre)).count == 3)
      }
    }
  }

  /// The plans referred to the query, and the query to the plans: neither was ever freed.
  @Test func whatAQueryKeepsGoesWithIt() throws {
    weak var cache: PlanCache?
    weak var catalog: Catalog?
    try withTemporaryStore(of: Song.self) { temporary in
      var query: Query<Song>?
      try {
        let store = try temporary.open()
        try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
        let kept = Song.where { $0.plays == 7 && $0.id > 3 }.order(by: \.title)
        for _ in 0..<3 { _ = (try store.fetch(kept), try store.count(kept)) }
        (query, cache, catalog) = (kept, kept.core.plans.cache, try store.read { $0.catalog })
        #expect(cache != nil && catalog != nil)
      }()
      #expect(query != nil)
      query = nil
      #expect(cache == nil)
    }
    #expect(catalog == nil)
  }

  /// A kept list of which each page is asked for once got the plans of the last page.
  @Test func aQueryThatIsMadeOfAnotherLeavesNothingInIt() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      let list = Song.order(by: \.plays)
      for id in 0..<5 {
        _ = try store.fetch(list.where { $0.id == id })
        _ = try store.fetch(list.limit(3, offset: id))
        _ = try store.fetch(list.page(after: Song.numbered(id..<id + 1)[0], 3))
        _ = try store.fetch(list.distinct(by: \.genre))
        _ = try store.fetch(list.order(by: \.title))
      }
      #expect(try store.plans(of: list, .rows) == nil)
    }
  }

  @Test func severalThreadsRunOneQuery() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<200)) }
      let query = Song.where { $0.plays == 7 && $0.id < 150 }
      let wrong = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<50 {
          let count = try? store.count(query)
          let found = try? store.fetch(query).count
          if count != 15 || found != 15 { wrong.add(1, ordering: .relaxed) }
        }
      }
      #expect(wrong.load(ordering: .relaxed) == 0)
    }
  }

  /// A query that ran in one store has plans with the trees of that one.
  @Test func eachStoreGetsPlansOfItsOwn() throws {
    try withStore(of: Song.self) { first in
      try withStore(of: Album.self, Song.self) { second in
        try first.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
        try second.write { tx in
          try tx.insert(contentsOf: Song.numbered(100..<120))
          try tx.insert(Album(name: "a"))
        }
        let query = Song.where { $0.plays == 7 }
        for _ in 0..<3 {
          #expect(try first.fetch(query).map(\.id) == [7, 17, 27, 37])
          #expect(try second.fetch(query).map(\.id) == [107, 117])
          #expect(try first.count(query) == 4)
          #expect(try second.count(query) == 2)
        }
      }
    }
  }

  /// A search reads its answer when it is planned, and another snapshot has another answer.
  @Test func theAnswerOfASearchIsNotKept() throws {
    try withStore(of: Paper.self) { store in
      let query = Paper.search("word")
      for count in 1...5 {
        try store.write { try $0.insert(Paper(id: count, title: "a word")) }
        #expect(try store.fetch(query).count == count)
        #expect(try store.count(query) == count)
      }
      #expect(try store.plans(of: query, .rows) !== store.plans(of: query, .rows))
      let either = Paper.where { $0.title.matches("word") || $0.id == 9 }
      for count in 6...9 {
        try store.write { try $0.insert(Paper(id: count, title: count == 9 ? "none" : "a word")) }
        #expect(try store.fetch(either).count == count)
        #expect(try store.count(either) == count)
      }
      // The best come first, and the best of later commits are others.
      let best = Paper.search("word").order(by: .relevance).limit(2)
      var found: Set<[Int]> = []
      for count in 10...14 {
        let words = String(repeating: "word ", count: count - 7)
        try store.write { try $0.insert(Paper(id: count, title: words)) }
        let fresh = Paper.search("word").order(by: .relevance).limit(2)
        #expect(try store.fetch(best) == store.fetch(fresh))
        #expect(try store.count(best) == 2)
        found.insert(try store.fetch(best).map(\.id))
      }
      #expect(found.count > 1)
    }
  }

  /// Beside fresh queries and a plain filter, while rows come and go and the store is opened again with another schema.
  @Test func keptQueriesAnswerAsFreshOnesDo() throws {
    var random = SeededGenerator.forTest("KeptQueryTests")
    try withTemporaryStore(of: Song.self) { temporary in
      var twin: [Int: Song] = [:]
      let made = (0..<12).map { _ in (random.below(12), random.below(3), random.below(3)) }
      func query(_ place: Int) -> Query<Song> {
        let (plays, genre, kind) = made[place]
        let excluded = Genre.allCases[genre]
        let both = Song.where { $0.plays >= plays && $0.genre != excluded }
        switch kind {
        case 0: return Song.where { $0.plays == plays }
        case 1: return both.order(by: \.plays.descending)
        default: return both.where { $0.plays < plays + 3 || $0.id < 20 }
        }
      }
      func matches(_ song: Song, _ place: Int) -> Bool {
        let (plays, genre, kind) = made[place]
        if kind == 0 { return song.plays == plays }
        return song.plays >= plays && song.genre != Genre.allCases[genre]
          && (kind == 1 || song.plays < plays + 3 || song.id < 20)
      }
      let kept = made.indices.map(query)
      for round in 0..<Torture.steps(short: 12, long: 200) {
        let isWider = round % 4 == 3
        let store =
          try isWider
          ? Store.open(at: temporary.url, models: Song.self, Album.self, options: .forTests)
          : temporary.open()
        let changed = Song.numbered(0..<random.below(400)).filter { _ in random.below(2) == 0 }
        try store.write { tx in
          for song in changed {
            var song = song
            song.plays = random.below(12)
            if random.below(4) == 0 {
              twin[song.id] = nil
              try tx.delete(Song.self, song.id)
            } else {
              twin[song.id] = song
              try tx.upsert(song)
            }
          }
          for place in kept.indices {
            #expect(try tx.count(kept[place]) == twin.values.count { matches($0, place) })
          }
        }
        for place in kept.indices {
          let note = "seed \(random.seed), round \(round), query \(place)"
          let found = try store.fetch(kept[place])
          #expect(try found == store.fetch(query(place)), "\(note)")
          #expect(Set(found) == Set(twin.values.filter { matches($0, place) }), "\(note)")
          #expect(try store.count(kept[place]) == found.count, "\(note)")
        }
      }
    }
  }
}

extension Store {
  /// The plans that a query would choose from now.
  fileprivate func plans<M: Model>(
    of query: Query<M>, _ purpose: Plan.Purpose
  ) throws -> PlanChoice? {
    try read { tx in
      let table = try tx.catalog.table(of: M._schema.erased)
      return query.core.plans.cache?.choice(of: query.core, table, tx.catalog, for: purpose)
    }
  }
}
