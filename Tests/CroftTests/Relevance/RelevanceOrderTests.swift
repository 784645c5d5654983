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
}
