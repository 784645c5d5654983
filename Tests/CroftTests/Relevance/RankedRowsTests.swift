import LMDB
import TestSupport
import Testing

@testable import Croft

/// The lists of an index bring the most relevant rows first, and none in their place.
@Suite(.keepsFailedStores) struct RankedRowsTests {
  /// Programs that declare other texts leave two indexes in a file, with numbers of their own.
  ///
  /// The greatest scores were read from the first of them for the numbers of the other one.
  @Test func eachIndexOfAFileOrdersByItsOwnNumbers() throws {
    var random = SeededGenerator.forTest("RankedRowsTests")
    try withTemporaryStore(of: Untagged.Paper.self) { temporary in
      var twin: [Int: Paper] = [:]
      for round in 0..<Torture.steps(short: 5, long: 40) {
        let isTagged = round % 2 == 1
        let store =
          try isTagged
          ? Store.open(at: temporary.url, models: Paper.self, options: .forTests)
          : temporary.open()
        let changed = (0..<300).map { _ in RelevanceTests.paper(random.below(500), &random) }
        for paper in changed { twin[paper.id] = paper }
        try store.write { tx in
          if isTagged {
            try tx.upsert(contentsOf: changed)
          } else {
            try tx.upsert(contentsOf: changed.map(Untagged.Paper.init))
          }
        }
        let papers = twin.values.sorted { $0.id < $1.id }
        for _ in 0..<6 {
          let query = RelevanceTests.query(in: random.pick(papers), &random)
          let limit = 1 + random.below(8)
          let note = "seed \(random.seed), round \(round): \(query)"
          if isTagged {
            let expected = RelevanceTests.ranked(query, papers).prefix(limit).map(\.paper.id)
            _ = try store.everyPlan(of: Paper.search(query).limit(limit)) { found, plan in
              #expect(found.map(\.id) == expected, "\(note), plan \(plan)")
            }
          } else {
            let expected = Untagged.ranked(query, papers).prefix(limit)
            _ = try store.everyPlan(of: Untagged.Paper.search(query).limit(limit)) { found, plan in
              #expect(found.map(\.id) == Array(expected), "\(note), plan \(plan)")
            }
          }
        }
        guard round > 1 else { continue }
        let indexes = try store.statistics.models[0].indexes.map(\.properties)
        #expect(
          Set(indexes) == [["year"], ["title", "body"], ["title", "body", "tags"]])
      }
    }
  }

  /// Passes what reads a query's rows by relevance, once it has read as many as the limit shows.
  private func rank(
    _ query: Query<Paper>, in store: Store, _ body: (borrowing RankedRows, [Int]) throws -> Void
  ) throws {
    try store.read { tx in
      let table = try tx.catalog.table(of: Paper._schema.erased)
      let core = try query.core.resolvingRelevance(of: table.schema)
      let plan = try #require(Plan.all(core, table, tx.catalog).first { $0.ranked != nil })
      let filter = try plan.residual.map { try Filter($0, table.layout, tx.catalog) }
      let arena = RecordArena()
      var rows = try RankedRows(plan, try #require(plan.ranked), filter, arena)
      var window = try QueryRun.Window(plan)
      var ids: [Int] = []
      try rows.forEach(in: tx.base) { row in
        try window.pass(row, in: tx.base) { row in
          var decoder = _RecordDecoder(layout: table.layout)
          decoder.move(to: row)
          ids.append(try Paper(_record: &decoder).id)
          return true
        }
      }
      try body(rows, ids)
    }
  }

  /// Of rows with one score no more are kept than the limit can show; with distinct values all are.
  @Test func fewRowsAreKeptOfManyThatAreEquallyRelevant() throws {
    try withStore(of: Paper.self) { store in
      let papers = (0..<3_000).map { Paper(id: $0, title: "우유", year: $0 % 1_500) }
      try store.write { try $0.insert(contentsOf: papers) }
      let sorted = papers.sorted { ($1.year, $0.id) < ($0.year, $1.id) }
      let query = Paper.where { $0.matches("우유") }.order(by: .relevance, \.year.descending)
        .limit(5, offset: 3)
      let most = 8 + 2 * max(16, Threshold.rowsPastLimit.value)
      try rank(query, in: store) { rows, ids in
        #expect(ids == sorted[3..<8].map(\.id))
        #expect(rows.rowsKept <= most, "\(rows.rowsKept) rows of \(rows.rowsRead)")
      }
      try rank(query.distinct(by: \.year), in: store) { _, ids in
        #expect(ids == (3..<8).map { 1_499 - $0 })
      }
      for limit in [0, 1, 400, 2_999, .max] {
        let plans = try store.everyPlan(of: query.limit(limit, offset: 3)) { found, plan in
          #expect(found == Array(sorted.dropFirst(3).prefix(limit)), "plan \(plan)")
        }
        #expect(plans >= 3)
      }
    }
  }

  /// Rows of one score come by their keys, also where a changed one has a number after all others.
  @Test func rowsOfOneScoreComeByTheirKeys() throws {
    try withStore(of: Paper.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: (0..<400).map { Paper(id: $0, title: "우유") })
      }
      // So many rows are flushed together, and get the next numbers by their keys.
      try store.write { tx in
        for id in [3, 9, 200] { try tx.upsert(Paper(id: id, title: "우유!")) }
        try tx.insert(contentsOf: (1_000..<1_300).map { Paper(id: $0, title: "빵") })
      }
      for limit in [1, 5, 20, 300] {
        let plans = try store.everyPlan(of: Paper.search("우유").limit(limit)) { found, plan in
          #expect(found.map(\.id) == Array(0..<limit), "plan \(plan)")
        }
        #expect(plans == 3)
      }
    }
  }

  /// A row with more than its bound might belong before rows that were passed on.
  @Test func aListThatLacksARowIsAnError() throws {
    try withStore(of: Paper.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<400).map {
            Paper(id: $0, title: $0 % 40 == 7 ? "milk bread" : "milk water")
          })
      }
      let query = Paper.search("milk OR bread").limit(3)
      #expect(try store.explain(query).order == .relevance)
      #expect(try store.fetch(query).map(\.id) == [7, 47, 87])
      let table = try store.knownCatalog.table(of: Paper._schema.erased)
      let index = try #require(table.indexes.lazy.compactMap { $0 as? TextIndex }.first)
      try store.writeInEngine { transaction in
        try index.tree.removeList(of: [0] + Array("wbread\u{0}".utf8), in: &transaction)
      }
      #expect(throws: table.falseEntry) { try store.fetch(query) }
      try store.rebuildIndexes()
      #expect(try store.fetch(query).map(\.id) == [7, 47, 87])
    }
  }
}

extension TextTree {
  /// Removes the list of a term, with its property and 00, from the first segment.
  fileprivate func removeList(
    of term: [UInt8], in transaction: inout LMDB.WriteTransaction
  ) throws {
    let segment = try #require(try head(in: transaction).segments.first)
    let run = try SegmentRun(of: segment, in: self, upTo: .max, transaction)
    var writer = PostingWriter(segment: segment.id, longestBlock: .max)
    var changes = TreeChanges()
    while run.nextTerm(before: nil) != nil {
      run.readNext { found, first, list in
        if Array(found) == term { return }
        writer.begin(found, &changes)
        writer.add(list, from: first)
      }
    }
    writer.finish(&changes)
    try transaction.deleteRange(.prefix(TextIndexKey.block.key(segment.id)), in: tree)
    try changes.apply(to: tree, in: &transaction)
  }
}

/// A program that searches no tags.
enum Untagged {
  @Model struct Paper: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var body: String?
    var tags: [String] = []
    @Indexed var year = 0
    #FullText<Paper>([\.title[weight: 4], \.body])
  }

  /// The keys of the papers that match, the most relevant first.
  static func ranked(_ query: String, _ papers: [TaggedPaper]) -> [Int] {
    let search = NaiveSearch(query)
    let texts = papers.map { Array($0.units.prefix(2)) }
    let relevance = NaiveRelevance(query, weights: [4, 1], texts)
    return zip(papers, texts).filter { search.matches($1.flatMap(\.self)) }
      .map { ($0.id, relevance.score(of: $1)) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
  }
}

typealias TaggedPaper = Paper

extension Untagged.Paper {
  init(_ paper: TaggedPaper) {
    self.init(
      id: paper.id, title: paper.title, body: paper.body, tags: paper.tags, year: paper.year)
  }
}
