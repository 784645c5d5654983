import TestSupport
import Testing

@testable import Croft

/// What an order by relevance does at its edges: without a search, without terms, and reversed.
@Suite(.keepsFailedStores) struct RelevanceOrderTests {
  /// Where no term is looked for all objects are equal, and no more are read than are wanted.
  @Test(arguments: ["", " ", "-물", "-물 -차"])
  func searchesWithoutTermsReadTheFirst(query: String) throws {
    try withStore(of: Paper.self) { store in
      let papers = (0..<1_000).map {
        Paper(id: $0, title: $0 % 3 == 0 ? "물 \($0)" : "빵 \($0)", year: $0 % 7)
      }
      try store.write { try $0.insert(contentsOf: papers) }
      let search = NaiveSearch(query)
      let found = papers.filter { search.matches($0.units.flatMap(\.self)) }
      let first = Paper.search(query).limit(20)
      // Neither sorted nor by the lists: the rows are read in turn, until there are 20.
      #expect(try store.explain(first).order == .primaryKey)
      _ = try store.everyPlan(of: first) { result, plan in
        #expect(result == Array(found.prefix(20)), "plan \(plan)")
      }
      let byYear = Paper.where { $0.matches(query) }.order(by: .relevance, \.year.descending)
      _ = try store.everyPlan(of: byYear.limit(20)) { result, plan in
        let expected = found.sorted { ($1.year, $0.id) < ($0.year, $1.id) }
        #expect(result == Array(expected.prefix(20)), "plan \(plan)")
      }
      let results = Recorder<ResultChange<Paper>>()
      let token = store.observe(first) { results.add($0) }
      try store.write { tx in
        _ = try tx.delete(Paper.where { $0.id < 5 })
        try tx.upsert(Paper(id: 7, title: "물"))
      }
      store.live.drain()
      #expect(try results.all.last.map { Array($0.after) } == store.fetch(first))
      token.cancel()
    }
  }

  /// A condition that is too deep is the error, because it might have had a search.
  @Test func aConditionThatIsTooDeepIsToldOf() throws {
    try withStore(of: Paper.self) { store in
      let query = Paper.where { paper in
        (0..<100).reduce(paper.matches("우유")) { condition, year in
          let isOfYear: QueryCondition<Paper> = paper.year == year
          return year.isMultiple(of: 2) ? condition && isOfYear : condition || isOfYear
        }
      }
      #expect(throws: StoreError.conditionTooDeep(model: "Paper")) {
        try store.fetch(query.order(by: .relevance))
      }
    }
  }

  /// All that runs a query refuses an order by relevance without a search.
  @Test func changesAndAggregatesNeedASearch() throws {
    try withStore(of: Paper.self) { store in
      try store.write { try $0.insert(Paper(id: 1, title: "우유")) }
      let error = StoreError.relevanceWithoutSearch(model: "Paper")
      for query in [Paper.all, Paper.where { $0.tags.any { $0.matches("a") && $0 == "a" } }] {
        let query = query.order(by: .relevance)
        #expect(throws: error) { try store.write { try $0.delete(query) } }
        #expect(throws: error) { try store.write { try $0.update(query) { $0.year += 1 } } }
        #expect(throws: error) {
          try store.write { try $0.update(query, set: \.year, to: 2) }
        }
        #expect(throws: error) { try store.count(query) }
        #expect(throws: error) { try store.read { try $0.fetch(query.sum(\.year)) } }
        #expect(throws: error) { try store.read { try $0.fetch(query.max(\.year)) } }
      }
      let found = Paper.search("우유")
      #expect(try store.read { try $0.fetch(found.max(\.year)) } == 0)
      #expect(try store.write { try $0.update(found, set: \.year, to: 2) } == 1)
      #expect(try store.write { try $0.delete(found) } == 1)
    }
  }

  /// Descending is the least relevant first, in Swift and in query texts.
  @Test func descendingIsTheLeastRelevantFirst() throws {
    try withStore(of: Paper.self) { store in
      try store.write { tx in
        try tx.insert(Paper(id: 1, title: "빵", body: "우유"))
        try tx.insert(Paper(id: 2, title: "우유"))
        try tx.insert(Paper(id: 3, title: "우유 우유"))
      }
      let query = Paper.where { $0.matches("우유") }
      #expect(try store.fetch(query.order(by: .relevance)).map(\.id) == [3, 2, 1])
      #expect(try store.fetch(query.order(by: .relevance.ascending)).map(\.id) == [3, 2, 1])
      let reversed = query.order(by: .relevance.descending)
      #expect(try store.fetch(reversed).map(\.id) == [1, 2, 3])
      #expect(try store.fetch(reversed.limit(1)).map(\.id) == [1])
      #expect(try Query<Paper>("matches \"우유\" sort by relevance desc") == reversed)
      #expect(try Query<Paper>(reversed.description) == reversed)
    }
  }

  /// Scores end at the greatest integer, in rows and in the lists of an index.
  @Test func scoresDoNotOverflow() throws {
    try withStore(of: Memo.self) { store in
      _ = try TextIndex.add(to: store, TextIndexBounds(waitingRows: 0))
      try store.write { try $0.insert(Memo(id: 1, title: "a")) }
      try store.read { tx in
        let table = try tx.catalog.table(of: Memo._schema.erased)
        let place = try #require(table.schema.place(named: "title"))
        let words = Array(repeating: "a", count: TextSearch.termsMax).joined(separator: " ")
        let search = ColumnPath.Relevance.Search(places: [place], query: words)
        let terms = RelevanceTerms(
          ColumnPath.Relevance(searches: Array(repeating: search, count: 200)), table)
        var counts = RelevanceCounts(terms)
        counts.rows = .max
        let statistics = RelevanceStatistics(counts)
        let index = try #require(table.textIndex(over: [place]))
        let postings = try RelevancePostings(
          terms, index.texts, properties: index.properties, table, tx.base)
        #expect(try postings.bounds(of: [0], by: statistics, tx.base) == [.max])
        let arena = RecordArena()
        try 1.stored.keyCode(kind: .int64).withUnsafeBytes { key in
          let row = try #require(try table.row(key, in: tx.base, arena))
          #expect(try terms.score(of: row, by: statistics) == .max)
        }
      }
    }
  }

  /// A test of a row costs as much in a part of the condition as alone.
  @Test func searchesInPartsOfAConditionCost() throws {
    try withStore(of: Paper.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: (0..<100).map { Paper(id: $0, title: "빵") })
      }
      let queries = [
        Paper.where { !$0.matches("우유") }, Paper.where { $0.title.matches("우유") || $0.body == "a" },
        Paper.where { $0.body == "a" || $0.tags.any { !$0.matches("우유") } },
      ]
      try store.read { tx in
        let table = try tx.catalog.table(of: Paper._schema.erased)
        for query in queries {
          let plan = try Plan(query.core, table, tx.catalog, in: tx.base)
          let cost = try plan.estimated(of: 100, for: .rows, in: tx.base).cost
          #expect(cost == 100 * (PlanCost.scannedRow + PlanCost.searchedRow), "\(query)")
        }
        let other = Paper.where { $0.body == "a" || $0.title.contains("b") }
        let plan = try Plan(other.core, table, tx.catalog, in: tx.base)
        #expect(try plan.estimated(of: 100, for: .rows, in: tx.base).cost == 100)
      }
    }
  }
}
