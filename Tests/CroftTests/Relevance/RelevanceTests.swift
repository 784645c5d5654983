import LMDB
import TestSupport
import Testing

@testable import Croft

/// Objects come by their relevance: by index, by scan and by laws written with real numbers the same.
@Suite(.keepsFailedStores) struct RelevanceTests {
  static func paper(_ id: Int, _ random: inout SeededGenerator) -> Paper {
    Paper(
      id: id, title: random.searchedText(), body: random.oneIn(3) ? nil : random.searchedText(),
      tags: (0..<random.below(3)).map { _ in random.searchedText() }, year: random.below(4))
  }

  /// Terms that are often in texts of a paper.
  static func query(in paper: Paper, _ random: inout SeededGenerator) -> String {
    let texts = [paper.title, paper.body ?? "", paper.tags.first ?? ""]
    var query = random.search(in: random.pick(texts))
    if random.oneIn(3) { query += " OR " + random.search(in: random.pick(texts)) }
    return query
  }

  /// The papers that match, the most relevant first.
  static func ranked(_ query: String, _ papers: [Paper]) -> [(paper: Paper, score: Int)] {
    let search = NaiveSearch(query)
    let relevance = NaiveRelevance(query, weights: [4, 1, 1], papers.map(\.units))
    return papers.filter { search.matches($0.units.flatMap(\.self)) }
      .map { ($0, relevance.score(of: $0.units)) }
      .sorted { ($1.score, $0.paper.id) < ($0.score, $1.paper.id) }
  }

  @Test func everyPlanOrdersAsALoopDoes() throws {
    var random = SeededGenerator.forTest("RelevanceTests")
    try withStore(of: Paper.self) { store in
      var twin: [Int: Paper] = [:]
      for round in 0..<Torture.steps(short: 8, long: 300) {
        let changed = (0..<random.pick([3, 40, 300])).map { _ in
          Self.paper(random.below(400), &random)
        }
        for paper in changed { twin[paper.id] = paper }
        let first = random.below(400)
        for id in first..<first + 10 { twin[id] = nil }
        let probe = Self.query(in: random.pick(changed), &random)
        let papers = twin.values.sorted { $0.id < $1.id }
        let seen = try store.write { tx in
          try tx.upsert(contentsOf: changed)
          _ = try tx.delete(Paper.where { $0.id >= first && $0.id < first + 10 })
          return try tx.fetch(Paper.search(probe).limit(7))
        }
        #expect(
          seen == Self.ranked(probe, papers).prefix(7).map(\.paper), "seed \(random.seed): \(probe)"
        )
        for _ in 0..<5 {
          let query = Self.query(in: random.pick(papers), &random)
          let (year, limit, offset) = (random.below(4), random.below(8), random.below(4))
          let ranked = Self.ranked(query, papers)
          let found = ranked.map(\.paper)
          let relevance = NaiveRelevance(query, weights: [4, 1, 1], papers.map(\.units))
          let titles = NaiveRelevance(query, weights: [4], papers.map { [$0.units[0]] })
          let other = Self.query(in: random.pick(papers), &random)
          let bodies = NaiveRelevance(other, weights: [1], papers.map { [$0.units[1]] })
          let otherSearch = NaiveSearch(other)
          /// The papers by the sum of the scores of their titles and bodies, as far as they are wanted.
          func bySum(_ wanted: [Paper], countingTitles: Bool) -> [Paper] {
            wanted.map { paper in
              let title = countingTitles ? titles.score(of: [paper.units[0]]) : 0
              return (paper, title + bodies.score(of: [paper.units[1]]))
            }.sorted { ($1.1, $0.0.id) < ($0.1, $1.0.id) }.map(\.0)
          }
          func hasBody(_ paper: Paper) -> Bool { paper.body.map(otherSearch.matches) ?? false }
          let search = NaiveSearch(query)
          let forms: [(Query<Paper>, [Paper])] = [
            (Paper.search(query), found),
            (
              Paper.search(query).limit(limit, offset: offset),
              Array(found.dropFirst(offset).prefix(limit))
            ),
            (
              Paper.search(query).where { $0.year == year }.limit(limit),
              Array(found.filter { $0.year == year }.prefix(limit))
            ),
            (
              Paper.where { $0.matches(query) }.order(by: .relevance, \.year.descending).limit(
                limit),
              Array(
                ranked.sorted {
                  ($1.score, $1.paper.year, $0.paper.id) < ($0.score, $0.paper.year, $1.paper.id)
                }.map(\.paper).prefix(limit))
            ),
            (
              Paper.where { $0.matches(query) }.order { [$0.year.ascending, .relevance] }
                .limit(limit),
              Array(
                ranked.sorted {
                  ($0.paper.year, $1.score, $0.paper.id) < ($1.paper.year, $0.score, $1.paper.id)
                }.map(\.paper).prefix(limit))
            ),
            (
              Paper.where { $0.title.matches(query) }.order(by: .relevance).limit(limit),
              Array(
                papers.filter { search.matches($0.title) }
                  .map { ($0, titles.score(of: [$0.units[0]])) }
                  .sorted { ($1.1, $0.0.id) < ($0.1, $1.0.id) }.map(\.0).prefix(limit))
            ),
            (
              Paper.where { $0.body.matches(other) }.order(by: .relevance).limit(limit),
              Array(bySum(papers.filter(hasBody), countingTitles: false).prefix(limit))
            ),
            (
              Paper.where { $0.title.matches(query) || $0.body.matches(other) }
                .order(by: .relevance).limit(limit),
              Array(
                bySum(
                  papers.filter { search.matches($0.title) || hasBody($0) }, countingTitles: true
                ).prefix(limit))
            ),
            (
              Paper.where { $0.body.matches(other) && $0.title.matches(query) }
                .order(by: .relevance).limit(limit),
              Array(
                bySum(
                  papers.filter { search.matches($0.title) && hasBody($0) }, countingTitles: true
                ).prefix(limit))
            ),
            (
              Paper.where { $0.matches(query) }.order(by: .relevance.descending).limit(limit),
              Array(
                ranked.sorted { ($0.score, $0.paper.id) < ($1.score, $1.paper.id) }
                  .map(\.paper).prefix(limit))
            ),
            (
              Paper.where { $0.matches(query) || $0.year == year }.order(by: .relevance)
                .limit(limit),
              Array(
                papers.filter { paper in
                  paper.year == year || found.contains(paper)
                }.map { ($0, relevance.score(of: $0.units)) }
                  .sorted { ($1.1, $0.0.id) < ($0.1, $1.0.id) }.map(\.0).prefix(limit))
            ),
          ]
          let (wanted, expected) = random.pick(forms)
          let plans = try store.everyPlan(of: wanted) { found, plan in
            #expect(
              found == expected, "seed \(random.seed), round \(round), plan \(plan): \(wanted)")
          }
          #expect(plans >= 2, "seed \(random.seed)")
        }
      }
    }
  }

  /// A tree with tiny bounds, so that there are waiting rows, dead numbers and many segments.
  @Test func indexAndScanCountAndScoreTheSame() throws {
    var random = SeededGenerator.forTest("RelevanceTests")
    for _ in 0..<Torture.steps(short: 3, long: 60) {
      var twin: [Int: Memo] = [:]
      let bounds = TextIndexBounds(
        waitingRows: random.pick([0, 3, 30]), segmentsPerMerge: 2 + random.below(3),
        longestBlock: random.pick([20, 300]), leastMoved: random.pick([1, 500]),
        keptBytes: random.pick([1, 60, 1 << 20]))
      try withStore(of: Memo.self) { store in
        _ = try TextIndex.add(to: store, bounds)
        for round in 0..<12 {
          let changed = (0..<1 + random.below(20)).map { _ in
            let paper = Self.paper(random.below(60), &random)
            return Memo(
              id: paper.id, title: paper.title, body: paper.body, tags: paper.tags, year: paper.year
            )
          }
          let gone = random.below(60)
          for memo in changed { twin[memo.id] = memo }
          twin[gone] = nil
          let memos = twin.values.sorted { $0.id < $1.id }
          guard let memo = memos.first else { continue }
          let query =
            random.search(in: memo.title) + random.pick([" ", " OR "])
            + random.search(in: random.pick(memos).title)
          let relevance = NaiveRelevance(query, weights: [1, 1, 1], memos.map(\.units))
          let search = NaiveSearch(query)
          let expected = memos.filter { search.matches($0.units.flatMap(\.self)) }
            .map { ($0, relevance.score(of: $0.units)) }
            .sorted { ($1.1, $0.0.id) < ($0.1, $1.0.id) }.map(\.0)
          let note = "seed \(random.seed), round \(round): \(query)"
          let limit = 1 + random.below(5)
          try store.write { tx in
            for memo in changed { try tx.upsert(memo) }
            try tx.delete(Memo.self, gone)
            #expect(
              try tx.fetch(Memo.search(query).limit(limit)) == Array(expected.prefix(limit)),
              "\(note)")
          }
          let plans = try store.everyPlan(of: Memo.search(query).limit(limit)) { found, plan in
            #expect(found == Array(expected.prefix(limit)), "\(note), plan \(plan)")
          }
          // Where all terms are excluded nothing is ordered by relevance.
          let hasTerms = SearchQuery(query).groups.joined().contains { !$0.isExcluded }
          #expect(plans == (hasTerms ? 3 : 2), "\(note)")
          if hasTerms { try Self.compareScores(query, memos, relevance, in: store, note) }
        }
      }
    }
  }

  /// Compares what is counted by index and by scan, and the scores of all rows and their bounds.
  private static func compareScores(
    _ query: String, _ memos: [Memo], _ relevance: NaiveRelevance, in store: Store, _ note: String
  ) throws {
    try store.read { tx in
      let table = try tx.catalog.table(of: Memo._schema.erased)
      let core = try Memo.search(query).core.resolvingRelevance(of: table.schema)
      let path = try #require(core.order[0].path.relevance)
      let terms = RelevanceTerms(path, table)
      let counts = try table.counts(of: terms, in: tx.base)
      let index = try #require(table.textIndex(over: terms.texts.map(\.column.index)))
      let postings = try RelevancePostings(
        terms, index.texts, properties: index.properties, table, tx.base)
      #expect(postings.counts == counts, "\(note)")
      let statistics = RelevanceStatistics(counts)
      var scores: [Int: UInt32] = [:]
      let arena = RecordArena()
      for memo in memos {
        let key = memo.id.stored.keyCode(kind: .int64)
        try key.withUnsafeBytes { key in
          let row = try #require(try table.row(key, in: tx.base, arena))
          scores[memo.id] = try terms.score(of: row, by: statistics)
        }
        #expect(scores[memo.id].map(Int.init) == relevance.score(of: memo.units), "\(note)")
      }
      // No bound is less than the score of its row.
      let answer = try index.texts.tree.answer(
        SearchQuery(query), in: index.properties, tx.base)
      let bounds = try postings.bounds(of: answer.numbers, by: statistics, tx.base)
      try index.texts.tree.forEachOwner(of: answer.numbers, in: tx.base) { ordinal, key in
        let id = memos.first { $0.id.stored.keyCode(kind: .int64) == Array(key) }?.id
        if let score = id.flatMap({ scores[$0] }),
          NaiveSearch(query).matches(memos.first { $0.id == id }?.units.flatMap(\.self) ?? [])
        {
          #expect(score <= bounds[ordinal], "\(note)")
        }
        return true
      }
    }
  }

  /// Of many rows with the terms only those are read that may be among the first.
  @Test(arguments: [("우유", 80), ("milk", 80), ("바나나우유", 400), ("ㅇㅇ", 80), ("우유 milk", 200)])
  func fewRowsAreReadForTheFirst(query: String, most: Int) throws {
    var random = SeededGenerator.forTest("RelevanceTests")
    try withStore(of: Paper.self) { store in
      let words = ["우유", "바나나우유", "milk", "빵", "tea", "과일", "장", "보기", "apple", "나무"]
      let papers = (0..<3_000).map { id in
        Paper(
          id: id,
          title: (0..<1 + random.below(30)).map { _ in random.pick(words) }.joined(separator: " "))
      }
      try store.write { try $0.insert(contentsOf: papers) }
      let found = Paper.search(query).limit(20)
      let ranked = Self.ranked(query, papers)
      #expect(ranked.count > 1_000)
      try store.read { tx in
        let table = try tx.catalog.table(of: Paper._schema.erased)
        let plan = try #require(
          try Plan.all(
            found.core.resolvingRelevance(of: table.schema), table, tx.catalog
          ).first { $0.ranked != nil })
        let filter = try plan.residual.map { try Filter($0, table.layout, tx.catalog) }
        let arena = RecordArena()
        var rows = try RankedRows(plan, try #require(plan.ranked), filter, arena)
        var keys: [[UInt8]] = []
        try rows.forEach(in: tx.base) { row in
          keys.append(Array(row.keyBytes))
          return keys.count < 20
        }
        #expect(keys == ranked.prefix(20).map { $0.paper.id.stored.keyCode(kind: .int64) })
        #expect(rows.rowsRead <= most, "\(rows.rowsRead) rows of \(ranked.count)")
      }
    }
  }

  @Test func pagesDoNotOverlap() throws {
    var random = SeededGenerator.forTest("RelevanceTests")
    try withStore(of: Paper.self) { store in
      let papers = (0..<300).map { Self.paper($0, &random) }
      try store.write { try $0.insert(contentsOf: papers) }
      let whole = try store.fetch(Paper.search("우* OR a* OR ㄱ"))
      var pages: [Paper] = []
      while true {
        let query = Paper.search("우* OR a* OR ㄱ").limit(13, offset: pages.count)
        let page = try store.fetch(query)
        // One of the plans reads the rows by relevance.
        let plans = try store.everyPlan(of: query) { found, _ in #expect(found == page) }
        #expect(plans == 3)
        pages += page
        if page.isEmpty { break }
      }
      #expect(pages == whole && whole.count > 30)
    }
  }

  /// Pages of a snapshot stay apart, whatever is written between them.
  @Test func pagesOfASnapshotDoNotOverlap() throws {
    var random = SeededGenerator.forTest("RelevanceTests")
    try withStore(of: Paper.self) { store in
      let papers = (0..<300).map { Self.paper($0, &random) }
      try store.write { try $0.insert(contentsOf: papers) }
      let query = "우* OR a* OR ㄱ"
      let snapshot = try store.snapshot(named: "pages")
      let whole = Self.ranked(query, papers).map(\.paper)
      var pages: [Paper] = []
      while true {
        let page = try snapshot.fetch(Paper.search(query).limit(17, offset: pages.count))
        pages += page
        if page.isEmpty { break }
        let changed = (0..<40).map { _ in Self.paper(random.below(600), &random) }
        let year = pages.count % 4
        try store.write { tx in
          try tx.upsert(contentsOf: changed)
          _ = try tx.delete(Paper.where { $0.year == year })
        }
      }
      #expect(pages == whole && whole.count > 30, "seed \(random.seed)")
      #expect(try store.fetch(Paper.search(query)) != whole)
    }
  }

  @Test func theOrderIsExplainedAndWritten() throws {
    try withStore(of: Paper.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<2_000).map {
            Paper(id: $0, title: "빵", body: $0 % 100 == 0 ? "우유" : nil)
          })
      }
      let query = Paper.search("우유").limit(3)
      #expect(
        try store.explain(query).description == """
          Paper by the index over title, body, tags: matches "우유"
            rows: 20
            test: matches "우유"
            order: by relevance
            limit: 3
          """)
      #expect(try store.explain(Paper.search("우유")).order == .sorted)
      #expect(query.description == "Paper where matches \"우유\" sort by relevance limit 3")
      #expect(try Query<Paper>(query.description) == query)
      #expect(try Query<Paper>("matches $1 sort by relevance() limit 3", "우유") == query)
      let dynamic = try DynamicQuery("Paper where title matches \"빵\" sort by relevance limit 2")
      #expect(try store.fetch(dynamic).map { try $0["id"] as Int } == [0, 1])
    }
  }

  /// An empty search finds all, by their keys; a query without a search is an error.
  @Test func relevanceNeedsASearch() throws {
    try withStore(of: Paper.self) { store in
      try store.write {
        try $0.insert(contentsOf: [Paper(id: 2, title: "a"), Paper(id: 1, title: "b")])
      }
      #expect(try store.fetch(Paper.search("")).map(\.id) == [1, 2])
      #expect(try store.fetch(Paper.search("", .asTyped).limit(1)).map(\.id) == [1])
      let queries = [
        Paper.all.order(by: .relevance), Paper.where { !$0.matches("a") }.order(by: .relevance),
        Paper.where { $0.year == 0 }.order { [$0.id.ascending, .relevance] },
      ]
      for query in queries {
        #expect(throws: StoreError.relevanceWithoutSearch(model: "Paper")) {
          try store.fetch(query)
        }
        #expect(throws: StoreError.relevanceWithoutSearch(model: "Paper")) {
          try store.count(query)
        }
      }
    }
  }

  /// A term in the title counts more, and one that few objects have more than one that many have.
  @Test func weightsAndRarityCount() throws {
    try withStore(of: Paper.self) { store in
      try store.write { tx in
        try tx.insert(Paper(id: 1, title: "빵", body: "우유"))
        try tx.insert(Paper(id: 2, title: "우유", body: "빵"))
        for id in 3..<30 { try tx.insert(Paper(id: id, title: "물", body: "빵과 물")) }
      }
      #expect(try store.fetch(Paper.search("우유")).map(\.id) == [2, 1])
      #expect(try store.fetch(Paper.search("우유 OR 빵").limit(3)).map(\.id) == [2, 1, 3])
    }
    let schema = _ModelSchema<Song>(
      "Song", [_keyColumn(\.id, "id"), _column(\.title, "title")],
      indexes: [_Index<Song>(searching: [\.title[weight: 0]])])
    #expect(schema.erased.mistake?.reason.contains("weight 0") == true)
    #expect(Paper._schema.erased.textWeights == [1: 4])
  }

  /// A term that a text has with a space counts once, and its list does not tell how well it matches.
  @Test func aTermThatIsWrittenApartCountsOnce() throws {
    try withStore(of: Paper.self) { store in
      let long = String(repeating: " 물", count: 40)
      try store.write { tx in
        var papers = (10..<600).map { Paper(id: $0, title: "빵 \($0)") }
        papers.append(Paper(id: 1, title: "장 보기 장 보기 빵"))
        papers.append(Paper(id: 2, title: "장보기 장보기 빵"))
        papers.append(Paper(id: 3, title: "장보기" + long))
        papers.append(Paper(id: 4, title: "앞 뒤"))
        papers.append(Paper(id: 5, title: "앞뒤" + long))
        try tx.insert(contentsOf: papers)
      }
      for (query, ids) in ["장보기": [2, 1, 3], "앞뒤": [4, 5]] {
        for limit in 1...ids.count {
          let plans = try store.everyPlan(of: Paper.search(query).limit(limit)) { found, plan in
            #expect(found.map(\.id) == Array(ids.prefix(limit)), "\(query), plan \(plan)")
          }
          #expect(plans == 3)
        }
      }
    }
  }

  /// Observers are told an order that is always that of a fetch, also where only counts have changed.
  @Test func observersAreToldTheOrderOfAFetch() throws {
    var random = SeededGenerator.forTest("RelevanceTests")
    try withStore(of: Paper.self) { store in
      let query = Paper.search("우* OR a OR ㄱ").limit(12)
      let whole = Paper.search("우유 OR milk")
      let results = Recorder<ResultChange<Paper>>()
      let wholes = Recorder<ResultChange<Paper>>()
      let tokens = [
        store.observe(query) { results.add($0) }, store.observe(whole) { wholes.add($0) },
      ]
      for round in 0..<40 {
        // Other objects move the counts: how many there are, how long, and how many have a term.
        let others = (0..<random.pick([0, 1, 30])).map {
          Paper(
            id: 1_000 + round * 40 + $0,
            title: String(
              repeating: random.pick(["물 ", "milk ", "우유 "]), count: 1 + random.below(9)))
        }
        let some = (0..<random.below(6)).map { _ in Self.paper(random.below(30), &random) }
        let gone = random.below(30)
        try store.write { tx in
          try tx.insert(contentsOf: others)
          try tx.upsert(contentsOf: some)
          try tx.delete(Paper.self, gone)
          if round % 10 == 9 { _ = try tx.delete(Paper.where { $0.id >= 1_000 }) }
        }
        store.live.drain()
        let found = try store.fetch(query)
        #expect(
          (results.all.last.map { Array($0.after) } ?? []) == found,
          "seed \(random.seed), round \(round)")
        let all = try store.fetch(whole)
        #expect(
          (wholes.all.last.map { Array($0.after) } ?? []) == all,
          "seed \(random.seed), round \(round)")
      }
      for token in tokens { token.cancel() }
    }
  }
}
