import TestSupport
import Testing

@testable import Croft

/// A search in all texts of a model: by index, by scan and by the laws of matching the same.
@Suite(.keepsFailedStores) struct SearchableModelTests {
  private static func matches(_ essay: Essay, _ search: NaiveSearch) -> Bool {
    search.matches(
      ([essay.title] + [essay.body].compactMap(\.self) + essay.tags).map(NaiveSearch.units))
  }

  /// Two terms that are often in different texts of an essay.
  private static func query(
    in essay: Essay, _ random: inout SeededGenerator
  ) -> String {
    let texts = [essay.title, essay.body ?? "", essay.tags.first ?? ""]
    var query = random.search(in: random.pick(texts))
    if random.oneIn(2) { query += " " + random.search(in: random.pick(texts)) }
    return query
  }

  private static func essay(_ id: Int, _ random: inout SeededGenerator) -> Essay {
    Essay(
      id: id, title: random.searchedText(), body: random.oneIn(3) ? nil : random.searchedText(),
      tags: (0..<random.below(3)).map { _ in random.searchedText() }, year: random.below(4))
  }

  @Test func everyPlanFindsWhatALoopFinds() throws {
    var random = SeededGenerator.forTest("SearchableModelTests")
    try withStore(of: Essay.self) { store in
      var twin: [Int: Essay] = [:]
      for round in 0..<Torture.steps(short: 12, long: 400) {
        let changed = (0..<random.pick([3, 40, 300])).map { _ in
          Self.essay(random.below(400), &random)
        }
        for essay in changed { twin[essay.id] = essay }
        let first = random.below(400)
        for id in first..<first + 10 { twin[id] = nil }
        let probe = Self.query(in: random.pick(changed), &random)
        let sorted = twin.values.sorted { $0.id < $1.id }
        let seen = try store.write { tx in
          try tx.upsert(contentsOf: changed)
          _ = try tx.delete(Essay.where { $0.id >= first && $0.id < first + 10 })
          return try tx.fetch(Essay.where { $0.matches(probe) })
        }
        let probed = NaiveSearch(probe)
        #expect(seen == sorted.filter { Self.matches($0, probed) }, "seed \(random.seed): \(probe)")
        for _ in 0..<6 {
          let query = Self.query(in: random.pick(sorted), &random)
          let year = random.below(4)
          let search = NaiveSearch(query)
          let found = sorted.filter { Self.matches($0, search) }
          let forms: [(Query<Essay>, [Essay], Int)] = [
            (Essay.where { $0.matches(query) }, found, 2),
            (
              Essay.where { $0.matches(query) && $0.year == year },
              found.filter { $0.year == year }, 3
            ),
            (
              Essay.where { $0.matches(query) || $0.year == year },
              sorted.filter { $0.year == year || Self.matches($0, search) }, 2
            ),
            (
              Essay.where { $0.tags.any { $0.matches(query) } },
              sorted.filter { $0.tags.contains(where: search.matches) },
              SearchQuery(query).withoutExclusions.groups.isEmpty ? 1 : 2
            ),
            (Essay.where { !$0.matches(query) }, sorted.filter { !Self.matches($0, search) }, 1),
            (
              Essay.where { $0.title.matches(query) }, sorted.filter { search.matches($0.title) }, 2
            ),
            (
              Essay.where { $0.body.matches(query) },
              sorted.filter { $0.body.map(search.matches) ?? false }, 2
            ),
            (
              Essay.where { $0.matches(query) }.order(by: \.year.descending).limit(4),
              Array(found.sorted { ($1.year, $0.id) < ($0.year, $1.id) }.prefix(4)), 2
            ),
          ]
          let (wanted, expected, least) = random.pick(forms)
          let plans = try store.everyPlan(of: wanted) { found, plan in
            #expect(found == expected, "seed \(random.seed), round \(round), \(plan): \(query)")
          }
          #expect(plans >= least, "seed \(random.seed)")
          for plan in 0..<plans {
            let count = try ForcedPlan.$current.withValue(ForcedPlan(plan)) {
              try store.count(wanted)
            }
            #expect(count == expected.count, "seed \(random.seed), plan \(plan): \(query)")
          }
        }
      }
      #expect(try store.verify().problems == [])
    }
  }

  /// Each term in another text, an excluded one in none of them, and a pair of characters in one.
  @Test func termsAreInAnyText() throws {
    try withStore(of: Essay.self) { store in
      try store.write { tx in
        try tx.insert(Essay(id: 1, title: "바나나우유", body: "3월에 마신다", tags: ["쿠폰", "마트"]))
        try tx.insert(Essay(id: 2, title: "우유", body: nil, tags: ["세일"]))
        try tx.insert(Essay(id: 3, title: "우", body: "유", tags: ["우", "유"]))
      }
      let found = [
        "우유 쿠폰": [1], "우유 -쿠폰": [2], "우유": [1, 2], "쿠폰 OR 세일": [1, 2], "쿠폰마트": [],
        "우 유": [1, 2, 3],
        "-우유": [3], "": [1, 2, 3], "!!": [],
      ]
      for (query, ids) in found {
        _ = try store.everyPlan(of: Essay.where { $0.matches(query) }) { essays, plan in
          #expect(essays.map(\.id) == ids, "\(query), plan \(plan)")
        }
      }
    }
  }

  @Test func itIsExplainedAndWritten() throws {
    try withStore(of: Essay.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<2_000).map {
            Essay(id: $0, title: "빵", body: $0 % 500 == 0 ? "우유" : nil)
          })
      }
      let query = Essay.where { $0.matches("우유") && $0.year == 0 }
      #expect(
        try store.explain(query).description == """
          Essay by the index over title, body, tags: matches "우유"
            rows: 4
            test: matches "우유" && year == 0
            order: by primary key
          """)
      #expect(query.description == "Essay where matches \"우유\" and year == 0")
      #expect(try Query<Essay>("matches $1 and year == 0", "우유") == query)
      #expect(try Query<Essay>(query.description) == query)
      #expect(throws: QueryTextError.self) { try Query<Song>("matches \"우유\"") }
      #expect(throws: QueryTextError.self) { try Query<Essay>("tags any (matches \"우유\")") }
      #expect(throws: QueryTextError.self) { try Query<Essay>("matches $1", 3) }
      let long = (0...TextSearch.termsMax).map { "a\($0)" }.joined(separator: " ")
      guard
        case .searchTooLong("Essay")? = StoreError.thrown(by: {
          _ = try store.fetch(Essay.where { $0.matches(long) })
        })
      else {
        Issue.record("a query with too many terms is refused")
        return
      }
    }
  }

  @Test func observersAreToldOfAllTexts() throws {
    var random = SeededGenerator.forTest("SearchableModelTests")
    try withStore(of: Essay.self) { store in
      let query = Essay.where { $0.matches("우* -가") }.order(by: \.year)
      let results = Recorder<ResultChange<Essay>>()
      let token = store.observe(query) { results.add($0) }
      for _ in 0..<40 {
        let some = (0..<6).map { _ in Self.essay(random.below(30), &random) }
        let gone = random.below(30)
        try store.write { tx in
          try tx.upsert(contentsOf: some)
          try tx.delete(Essay.self, gone)
        }
        store.live.drain()
        let found = try store.fetch(query)
        #expect(results.all.last.map { Array($0.after) } == found, "seed \(random.seed)")
      }
      token.cancel()
    }
  }
}
