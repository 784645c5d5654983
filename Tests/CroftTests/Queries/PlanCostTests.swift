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
  @Test(arguments: [false, true]) func aPageCountsSomeEntriesOfAnyNumber(isKept: Bool) throws {
    try withStore(of: Cell.self) { store in
      let cells = (0..<20_000).map(Cell.init)
      try store.write { try $0.insert(contentsOf: cells) }
      let list = Cell.order(by: \.row)
      let page = list.page(after: cells[9_003], 50)
      if isKept { for _ in 0..<2 { _ = try store.fetch(page) } }
      #expect(try store.blocksCounted(toPlan: page) == 0)
      #expect(
        try store.blocksCounted(toPlan: Cell.where { $0.row >= 1 }.order(by: \.row).limit(50)) == 0)
      // The choice between an index and a scan needs more of them, and so does an explanation.
      let all = Cell.where { $0.column < 20 && $0.note != 9 }
      #expect(try store.blocksCounted(toPlan: all) > 4)
      let (row, id) = (cells[9_003].row, 9_003)
      let expected = cells.sorted { ($0.row, $0.id) < ($1.row, $1.id) }
        .drop { ($0.row, $0.id) <= (row, id) }
      #expect(try store.fetch(page) == Array(expected.prefix(50)))
      let explained = try store.explain(Cell.where { $0.row == 3 }.order(by: \.note).limit(5))
      #expect(explained.estimatedRows == 1_000 && explained.isCounted)
    }
  }

  /// The rows of a common value are not counted, where those of a rare one are few.
  @Test func aCommonValueIsNotCountedBesideARareOne() throws {
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: (0..<20_000).map(Cell.init)) }
      let one = Cell.where { $0.column == 3 && $0.row >= 0 && $0.note != 9 }
      let plan = try store.plan(of: one)
      #expect(plan.countedRows == 105)
      // A scan alone would have counted 2,564 entries of the other index, which are ten blocks.
      #expect(try store.blocksCounted(toPlan: one) <= 2)
    }
  }

  /// A twin counts all rows of all plans.
  @Test(arguments: [0, 3, 60, 600, 6_000]) func theChoiceIsThatOfAFullCount(of size: Int) throws {
    var random = SeededGenerator.forTest("PlanCostTests \(size)")
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: (0..<size).map(Cell.init)) }
      var chosen: Set<QueryExplanation.Access> = []
      for _ in 0..<200 {
        let query = Self.query(&random, size)
        for purpose in [Plan.Purpose.rows, .count] {
          let plan = try store.plan(of: query, for: purpose)
          let least = try store.leastCost(of: query, for: purpose)
          if plan.rows != nil { #expect(plan.cost == least, "\(query) \(purpose)") }
        }
        chosen.insert(try store.explain(query).access)
      }
      if size == 6_000 { #expect(chosen.count > 5, "\(chosen)") }
    }
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
    if random.oneIn(2) { query = query.limit(random.below(80), offset: random.below(3)) }
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

  /// How often the choice of a plan has counted about 256 rows.
  fileprivate func blocksCounted<M: Model>(toPlan query: Query<M>) throws -> Int {
    var count = 0
    return try read(onProgress: { count += 1 }) { tx in
      let table = try tx.catalog.table(of: M._schema.erased)
      count = 0
      _ = try Plan(query.core, table, tx.catalog, in: tx.base)
      return count
    }
  }

  fileprivate func leastCost<M: Model>(
    of query: Query<M>, for purpose: Plan.Purpose
  ) throws -> Double {
    try read { tx in
      let table = try tx.catalog.table(of: M._schema.erased)
      let choice = PlanChoice(query.core, table, tx.catalog, for: purpose)
      let total = try tx.base.count(of: table.rows)
      var least = Double.infinity
      for plan in choice.plans {
        least = min(least, try plan.estimated(of: total, for: purpose, in: tx.base).cost)
      }
      guard least > PlanCost.leastToIntersect else { return least }
      for plan in choice.intersections {
        least = min(least, try plan.estimated(of: total, for: purpose, in: tx.base).cost)
      }
      return least
    }
  }
}
