@testable import LMDB
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// The planner counts no more rows than it takes to know which plan costs least.
@Suite(.keepsFailedStores) struct PlanCostTests {
  @Model struct Cell: Hashable {
    @PrimaryKey var id: Int
    @Indexed var row: Int
    @Indexed var column: Int
    @Indexed var tags: [Int] = []
    var note = 0
    #Index<Cell>([\.row, \.note])

    init(_ id: Int) {
      (self.id, row, column, note) = (id, id * 7 % 20, id * 13 % 190, id % 7)
      tags = [id % 3, id % 11, id % 3]
    }
  }

  /// A page of 50 of 1,000,000 objects took twice as long as one of 100,000: an eighth of the entries was counted for it.
  @Test func aPageCountsSomeEntriesOfAnyNumber() throws {
    try withStore(of: Cell.self) { store in
      let cells = (0..<20_000).map(Cell.init)
      try store.write { try $0.insert(contentsOf: cells) }
      let last = cells[9_003]
      let page = Cell.order(by: \.row).page(after: last, 50)
      #expect(try store.progressCalls(toPlan: page) == 0)
      let limited = Cell.where { $0.row >= 1 }.order(by: \.row).limit(50)
      #expect(try store.progressCalls(toPlan: limited) == 0)
      let expected = cells.sorted { ($0.row, $0.id) < ($1.row, $1.id) }
        .drop { ($0.row, $0.id) <= (last.row, last.id) }
      #expect(try store.fetch(page) == Array(expected.prefix(50)))
      // The choice between an index and a scan needs all of them, and so does an explanation.
      let few = Cell.where { $0.column < 20 && $0.note != 9 }
      #expect(try store.plan(of: few).countedRows == cells.count { $0.column < 20 })
      let explained = try store.explain(Cell.where { $0.row == 3 }.order(by: \.note).limit(5))
      #expect(explained.estimatedRows == 1_000 && explained.isCounted)
    }
  }

  /// The entries of a common value were counted before those of a rare one.
  @Test func aCommonValueIsNotCountedBesideARareOne() throws {
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: (0..<20_000).map(Cell.init)) }
      let one = Cell.where { $0.column == 3 && $0.row >= 0 && $0.note != 9 }
      #expect(try store.plan(of: one).countedRows == 105)
      // Without a limit, 2,564 entries of each of the two indexes that begin with `row`.
      #expect(try store.progressCalls(toPlan: one) <= 2)
    }
  }

  /// A limit between the first one and the highest cost is enough where a value is less rare.
  @Test func aCommonValueIsNotCountedBesideOneThatIsLessRare() throws {
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: (0..<70_000).map(Cell.init)) }
      let some = Cell.where { $0.column.in([3, 4, 5]) && $0.row >= 0 && $0.note != 9 }
      let rows = (0..<70_000).map(Cell.init).count { [3, 4, 5].contains($0.column) }
      #expect(try store.plan(of: some).countedRows == rows)
      // Up to the cost of 16,384, 2,215 entries of each of the indexes that begin with `row`; without that limit 8,814.
      let calls = try store.progressCalls(toPlan: some)
      #expect(calls < 50, "\(calls)")
    }
  }

  /// A look-up of one object with a limit of 1 read all rows until it came: two in five were assumed to match.
  @Test func aLimitDoesNotMakeALookUpAScan() throws {
    try withStore(of: Cell.self) { store in
      let cells = (0..<20_000).map(Cell.init)
      try store.write { try $0.insert(contentsOf: cells) }
      func access(_ query: Query<Cell>) throws -> QueryExplanation.Access {
        let access = try store.explain(query).access
        #expect(try store.fetch(query).count == query.core.limit, "\(query)")
        return access
      }
      for limit in [1, 50] {
        let column = Cell.where { $0.column == 3 }
        #expect(try access(column.limit(limit)) == .indexEquality)
        #expect(try access(column.where { $0.note != 9 }.limit(limit)) == .indexEquality)
        // What most rows match is found soon.
        #expect(try access(Cell.where { $0.column >= 3 }.limit(limit)) == .scan)
        #expect(
          try access(Cell.where { $0.note != 9 }.order(by: \.row).limit(limit)) == .indexOrder)
      }
      #expect(try access(Cell.where { $0.id == 19_999 }.limit(1)) == .primaryKeys)
      #expect(
        try access(Cell.where { $0.id >= 19_999 && $0.note != 9 }.limit(1)) == .primaryKeyRange)
      // Not by the index over `row`, whose order the query has: it brings 19,000 rows.
      let ordered = Cell.where { $0.column == 3 && $0.row >= 1 }.order(by: \.row)
      #expect(try store.explain(ordered.limit(50)).indexes == ["column"])
      let either = Cell.where { $0.id == 19_999 || $0.column == 3 }
      #expect(try access(either.limit(5)) == .union)
    }
  }

  /// Where most rows match, an index in the order of the query ends soon, and few of those rows are counted.
  @Test func aLimitEndsTheWalkOfAnOrderWhereMostRowsMatch() throws {
    try withStore(of: Cell.self) { store in
      // An eighth of the rows, and 64, is as many as are counted.
      try store.write { try $0.insert(contentsOf: (0..<1_000).map(Cell.init)) }
      let third = Cell.where { $0.row >= 1 }.order(by: \.column).limit(50, offset: 50)
      #expect(try store.explain(third).access == .indexOrder)
      try store.write { try $0.insert(contentsOf: (1_000..<70_000).map(Cell.init)) }
      let two = Cell.where { $0.row >= 1 && $0.column >= 1 }
      for (query, most) in [
        (third, 50), (Cell.where { $0.row >= 1 }.limit(50), 75), (two.limit(50), 30),
      ] {
        #expect(try store.explain(query).access == (query == third ? .indexOrder : .scan))
        let calls = try store.progressCalls(toPlan: query)
        #expect(calls <= most, "\(query): \(calls)")
      }
    }
  }

  /// Where an index has few entries, a third of them is a low guess: the limit rose by the cost of one entry at a time.
  @Test func aLowGuessDoesNotCountAgainForEachEntry() throws {
    try withStore(of: Label.self) { store in
      let labels = (0..<10_000).map {
        Label(id: $0, tags: $0 < 3_000 ? [$0 < 1_300 ? "x" : "y"] : [])
      }
      try store.write { try $0.insert(contentsOf: labels) }
      let query = Label.where { $0.tags.contains("x") && $0.note == 0 }
      let calls = try store.progressCalls(toPlan: query)
      #expect(calls < 60, "\(calls)")
      #expect(try store.fetch(query) == Array(labels.prefix(1_300)))
    }
  }

  @Model struct Label: Hashable {
    @PrimaryKey var id: Int
    @Indexed var tags: [String] = []
    var note = 0
  }

  /// A common beginning of two indexes is no reason to read only one of them.
  @Test func indexesThatDifferAfterTheirFirstColumnAreBothRead() throws {
    try withStore(of: Place.self) { store in
      let places = (0..<20_000).map { id in
        Place(id: id, city: id % 10, name: "n\(id * 7 % 10)", day: id * 13 % 2_000)
      }
      try store.write { try $0.insert(contentsOf: places) }
      let beginning = Place.where { $0.city == 3 && $0.name.like("n1*x") && $0.day > 1_800 }
      #expect(try store.intersections(of: beginning) == 1)
      // An `or` narrows one of them further.
      let either = Place.where {
        $0.city == 3 && ($0.name == "n1" || $0.name > "n8") && $0.day > 1_800
      }
      #expect(try store.intersections(of: either) == 1)
      // Each index brings all rows of the other.
      #expect(try store.intersections(of: Place.where { $0.city == 3 }) == 0)
    }
  }

  @Model struct Place: Hashable {
    @PrimaryKey var id: Int
    var city: Int
    var name: String
    var day: Int
    #Index<Place>([\.city, \.name])
    #Index<Place>([\.city.descending, \.day])
  }

  /// An index over `row` was read beside one over `row` and `note`, of which each finds the same rows.
  @Test func twoIndexesThatAnswerOneConditionAreNotBothRead() throws {
    try withStore(of: Cell.self) { store in
      let cells = (0..<20_000).map(Cell.init)
      try store.write { try $0.insert(contentsOf: cells) }
      let one = Cell.where { $0.row == 3 }
      #expect(try store.explain(one).access == .indexEquality)
      #expect(try store.fetch(one) == cells.filter { $0.row == 3 })
      let both = Cell.where { $0.row == 3 && $0.note == 2 }
      #expect(try store.explain(both).indexes == ["row, note"])
      #expect(try store.fetch(both) == cells.filter { $0.row == 3 && $0.note == 2 })
      let others = Cell.where { $0.row == 3 && $0.column < 12 }
      #expect(try store.explain(others).access == .intersection)
    }
  }

  /// A slow query's explanation said that it read as many rows as were counted to choose its plan.
  @Test func theEventOfASlowQueryHoldsNoUnfinishedCount() throws {
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: (0..<2_000).map(Cell.init)) }
      let told = Mutex<[QueryExplanation]>([])
      store.measure(slowQueriesFrom: .zero) { event in
        guard case .slowQuery(let explanation, _) = event else { return }
        told.withLock { $0.append(explanation) }
      }
      let limited = Cell.where { $0.row >= 3 }.order(by: \.row).limit(5)
      let all = Cell.where { $0.row == 3 }
      #expect(try store.fetch(limited).count == 5)
      #expect(try store.fetch(all).count == 100)
      store.measure(nil)
      let rows = told.withLock { $0.map(\.estimatedRows) }
      #expect(rows == [nil, 100], "\(told.withLock { $0 })")
      #expect(try store.explain(limited).estimatedRows == 666)
    }
  }

  /// A twin estimates all plans, each counted as far as one alone may be, and how many match as far as any access tells.
  @Test(arguments: [0, 3, 60, 600, 6_000, 20_000])
  func theChoiceIsThatOfAFullCount(of size: Int) throws {
    var random = SeededGenerator.forTest("PlanCostTests \(size)")
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: (0..<size).map(Cell.init)) }
      var chosen: Set<QueryExplanation.Access> = []
      for _ in 0..<200 {
        let query = Self.query(&random, size)
        for purpose in [Plan.Purpose.rows, .count] {
          try store.read { tx in
            try Self.expectTheLeastCost(of: query, tx.catalog, for: purpose, in: tx.base)
          }
        }
        chosen.insert(try store.explain(query).access)
      }
      if size >= 6_000 { #expect(chosen.count > 5, "\(chosen)") }
      // A writer steps through the entries of a tree that it has changed.
      try store.write { tx in
        try tx.insert(Cell(size))
        for _ in 0..<20 {
          let query = Self.query(&random, size)
          try Self.expectTheLeastCost(of: query, tx.catalog, for: .rows, in: tx.base)
        }
      }
    }
  }

  private static func expectTheLeastCost(
    of query: Query<Cell>, _ catalog: Catalog, for purpose: Plan.Purpose,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let table = try catalog.table(of: Cell._schema.erased)
    let plan = try Plan(query.core, table, catalog, for: purpose, in: transaction)
    // A count that an index answers is chosen without an estimate.
    guard plan.rows != nil else { return }
    let choice = PlanChoice(query.core, table, catalog, for: purpose)
    let total = try transaction.count(of: table.rows)
    var (rows, counts): ([Int], [Int]) = ([], [])
    for plans in choice.accesses {
      let (access, most) = (plans[0].access, Plan.mostCounted(of: total))
      rows.append(try access.estimate(of: total, upTo: most, table, in: transaction).count)
      counts.append(try access.estimate(of: total, upTo: .max, table, in: transaction).count)
    }
    var costs: [(name: String, cost: Double)] = []
    for (place, plans) in choice.accesses.enumerated() {
      let others = counts.indices.filter { $0 != place }.map { counts[$0] }
      let matching = Double(others.min() ?? total)
      for plan in plans {
        let cost = plan.cost(for: purpose)(Double(rows[place]), matching: matching)
        costs.append((name(of: plan), cost))
      }
    }
    if query.core.limit != nil || costs.allSatisfy({ $0.cost > PlanCost.leastToIntersect }) {
      for plan in choice.intersections {
        let plan = try plan.estimated(of: total, for: purpose, in: transaction)
        costs.append((name(of: plan), plan.cost))
      }
    }
    let least = try #require(costs.min { $0.cost < $1.cost })
    let chosen = try #require(costs.first { $0.name == name(of: plan) })
    if query.core.limit == nil {
      #expect(chosen.cost == least.cost, "\(query) \(purpose)")
    } else {
      // Where tests end at a limit, a count is not finished once some plan costs little.
      let most = max(least.cost * 4, PlanCost.firstLimit)
      #expect(chosen.cost <= most, "\(query) \(purpose): \(chosen), \(least)")
    }
  }

  /// What tells the plans of one query apart.
  private static func name(of plan: Plan) -> String {
    let text = plan.explanation
    return "\(text.access) \(text.indexes) \(text.residual ?? "") \(plan.delivery) \(plan.isSorted)"
  }

  private static func query(_ random: inout SeededGenerator, _ size: Int) -> Query<Cell> {
    var query = Cell.all
    for _ in 0...random.below(3) {
      let (row, column, id) = (random.below(20), random.below(190), random.below(max(size, 1)))
      switch random.below(8) {
      case 0: query = query.where { $0.row == row }
      case 1: query = query.where { $0.column == column }
      case 2: query = query.where { $0.row >= row }
      case 3: query = query.where { $0.column < column }
      case 4: query = query.where { $0.tags.contains(column % 11) }
      case 5: query = query.where { $0.id >= id }
      case 6: query = query.where { $0.row == row || $0.column == column }
      default: query = query.where { $0.note != 3 }
      }
    }
    switch random.below(6) {
    case 0: query = query.order(by: \.row)
    case 1: query = query.order(by: \.column.descending)
    case 2: query = query.order(by: \.row, \.note)
    case 3: query = query.order(by: \.note)
    default: break
    }
    if random.oneIn(6) { query = query.distinct(by: \.row) }
    switch random.below(6) {
    case 0...2: query = query.limit(random.below(80), offset: random.below(3))
    case 3: query = query.limit(random.pick([1_000, .max]), offset: random.pick([0, 500, .max]))
    default: break
    }
    return query
  }
}

extension Store {
  fileprivate func plan<M: Model>(
    of query: Query<M>, for purpose: Plan.Purpose = .rows
  ) throws -> Plan {
    try read { tx in
      try Plan(
        query.core, try tx.catalog.table(of: M._schema.erased), tx.catalog, for: purpose,
        in: tx.base)
    }
  }

  /// How many plans with two indexes a query could choose from.
  fileprivate func intersections<M: Model>(of query: Query<M>) throws -> Int {
    try read { tx in
      let table = try tx.catalog.table(of: M._schema.erased)
      return PlanChoice(query.core, table, tx.catalog, for: .rows).intersections.count
    }
  }

  /// How often the choice of a plan, which counts by pages, has reported its progress.
  fileprivate func progressCalls<M: Model>(toPlan query: Query<M>) throws -> Int {
    var count = 0
    return try read(onProgress: { count += 1 }) { tx in
      let table = try tx.catalog.table(of: M._schema.erased)
      count = 0
      _ = try Plan(query.core, table, tx.catalog, in: tx.base)
      return count
    }
  }
}
