import LMDB

/// How a query reaches its rows and puts them in order: a value that ``QueryRun`` carries out.
///
/// Every plan of a query gives the same result: the access brings at least the rows that match, the
/// residual drops the others, and they are sorted where they do not come in order.
struct Plan: Sendable {
  enum Access: Sendable {
    /// No row can match.
    case nothing
    /// Rows by primary key, within a range.
    case rows(KeyRange)
    /// Single rows by their keys' codes, ascending.
    case keys([[UInt8]])
    /// Index entries within disjoint ranges, ascending.
    case index(EntryIndex, [KeyRange])
    /// The candidates of an index that has other entries than one for each row and value.
    case lookup(any IndexLookup)
    /// The rows that any of some accesses brings.
    case union([Access])
    /// The rows that all of some indexes bring.
    case intersection([Access])
  }

  enum Delivery: Sendable, Hashable {
    /// By primary key, ascending.
    case byKey
    /// In the order of the rows' or the index's tree.
    case walk(Walk)
  }

  let query: QueryCore
  let table: Table
  let catalog: Catalog
  let access: Access
  let delivery: Delivery
  /// Whether the rows must be sorted, because they come in another order than the query's.
  let isSorted: Bool
  /// The part of the condition to test on each row; nil where the access answers all of it.
  let residual: ConditionTree?
  /// What index entries answer of the condition; nil where no entry is read.
  ///
  /// An entry has no checksum, so the rows that it brings are tested for it before they are used.
  let answered: ConditionTree?
  /// How many rows the access brings, as far as it is known.
  var rows: Estimate?
  /// What running it costs, in units of one row of a scan.
  var cost = 0.0

  /// A walk through the tree of an index or of rows that gives the query's order.
  struct Walk: Sendable, Hashable {
    enum Ties: Sendable, Hashable {
      /// Entries with equal sorted columns are stored in the query's order.
      case asStored
      /// The walk reads them in the reverse of the query's order.
      case reversed
      /// The walk reads them in another order; they must be sorted.
      case unordered
    }

    var direction = KeyRange.Direction.forward
    /// How many columns of the index decide the order, those of one value included.
    var columns = 0
    var ties = Ties.asStored
  }

  /// How many rows or entries there are.
  struct Estimate: Sendable, Hashable {
    var count: Int
    var isExact: Bool
  }

  /// The indexes that the plan reads, whose buffered changes must be in their trees.
  func indexes() throws -> [any TableIndex] {
    try access.indexes + (query.readsRelevance ? table.indexes.filter { $0 is TextIndex } : [])
      + (residual.map { try catalog.indexes(in: $0) } ?? [])
      + (query.order.map(\.path) + query.distinct).flatMap(catalog.indexes(of:))
  }

  /// How many rows the access brings, where the estimate was counted to the end.
  var countedRows: Int? { rows.flatMap { $0.isExact ? $0.count : nil } }
}

extension Plan.Access {
  var indexes: [any TableIndex] {
    switch self {
    case .index(let index, _): [index]
    case .lookup(let lookup): [lookup.index]
    case .union(let members), .intersection(let members): members.flatMap(\.indexes)
    case .nothing, .rows, .keys: []
    }
  }
}

extension Plan {
  enum Purpose: Sendable {
    /// The rows, in the query's order.
    case rows
    /// How many there are.
    case count
  }

  /// Chooses the plan that costs least by estimates from the trees, which cost little to make.
  init(
    _ query: QueryCore, _ table: Table, _ catalog: Catalog, for purpose: Purpose = .rows,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let query = try query.resolvingRelevance(of: table.schema)
    #if DEBUG || CROFT_SWARM
      if let forced = ForcedPlan.current?.pick(Plan.all(query, table, catalog, for: purpose)) {
        self = forced
        return
      }
    #endif
    let kept = query.plans.cache?.choice(of: query, table, catalog, for: purpose)
    if kept == nil, let plan = Plan(counting: query, table, catalog, purpose) {
      self = plan
      return
    }
    let choice = kept ?? PlanChoice(query, table, catalog, for: purpose)
    let plans = choice.plans
    if plans.count == 1 {
      self = plans[0]
      return
    }
    let total = try transaction.count(of: table.rows)
    var best: Plan?
    for plan in plans {
      let plan = try plan.estimated(of: total, for: purpose, in: transaction)
      if best.map({ plan.cost < $0.cost }) ?? true { best = plan }
    }
    if let cost = best?.cost, cost > Cost.leastToIntersect {
      for plan in try choice.intersections(cheaperThan: cost, of: total, in: transaction) {
        let plan = try plan.estimated(of: total, for: purpose, in: transaction)
        if best.map({ plan.cost < $0.cost }) ?? true { best = plan }
      }
    }
    self = best ?? plans[0]
  }

  /// The plan of a count whose access has the entries to count; nil where rows are read, or wanted.
  ///
  /// No other plan costs less, so that none is made.
  init?(counting query: QueryCore, _ table: Table, _ catalog: Catalog, _ purpose: Purpose) {
    guard purpose == .count, query.distinct.isEmpty,
      let candidate = Candidate(counting: query.condition.conjuncts, table)
    else { return nil }
    self.init(
      query: query, table: table, catalog: catalog, access: candidate.access,
      delivery: .byKey, isSorted: false, residual: nil, answered: nil)
  }

  /// Every plan that gives the query's result.
  static func all(
    _ query: QueryCore, _ table: Table, _ catalog: Catalog, for purpose: Purpose = .rows
  ) -> [Plan] {
    let choice = PlanChoice(query, table, catalog, for: purpose)
    return choice.plans + choice.intersections
  }
}

// MARK: - Costs

// In units of one row of a scan. The figures are estimates, which the article "Query planning"
// names; they decide speed and never results.

extension Plan {
  enum Cost {
    static let scannedRow = 1.0
    static let entry = 0.4
    /// An entry that is collected, sorted and looked for among another index's.
    static let matchedEntry = 2.0
    /// A row found by its key, after neighbours.
    static let fetchedRow = 7.0
    static let sortedRow = 4.0
    /// A row in whose texts is searched: they are folded and read whole.
    static let searchedRow = 30.0
    /// The share of the rows that a test is assumed to pass.
    static let passing = 0.4
    /// The cost of a plan past which two indexes may be read instead.
    static let leastToIntersect = 256.0
  }

  /// The rows up to which an access is counted.
  static func mostCounted(of total: Int) -> Int { total / 8 + 64 }

  /// The plan with its rows counted or guessed, and its cost.
  func estimated(
    of total: Int, for purpose: Purpose, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan {
    var plan = self
    // Where an index brings more entries, a scan costs less.
    let bound = Self.mostCounted(of: total)
    guard case .intersection(let members) = access else {
      let rows = try access.estimate(of: total, upTo: bound, table, in: transaction)
      plan.rows = rows
      plan.cost = cost(of: Double(rows.count), purpose)
      return plan
    }
    // What one index finds is assumed to be spread evenly over what the other finds.
    var (entries, rows) = (0.0, Double(total))
    for member in members {
      let count = try member.estimate(of: total, upTo: bound, table, in: transaction).count
      entries += Double(count)
      rows *= Double(count) / Double(max(total, 1))
    }
    plan.rows = Estimate(count: Int(rows.rounded(.up)), isExact: false)
    plan.cost = entries * Cost.matchedEntry + cost(of: rows, purpose)
    return plan
  }

  /// The plan with its rows counted or guessed, for an explanation.
  func withEstimate(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Plan {
    if rows != nil { return self }
    let total = try transaction.count(of: table.rows)
    return try estimated(of: total, for: .rows, in: transaction)
  }

  private func cost(of rows: Double, _ purpose: Purpose) -> Double {
    let tests = residual?.conjuncts.count ?? 0
    let passing = max(0.01, (0..<min(tests, 5)).reduce(1.0) { share, _ in share * Cost.passing })
    if purpose == .count, residual == nil || countsByLists, query.distinct.isEmpty {
      return rows * countCost
    }
    var visited = rows
    if !isSorted, query.distinct.isEmpty, let limit = query.limit {
      visited = min(rows, (Double(limit) + Double(query.offset)) / passing)
    }
    let sorting = isSorted ? rows * passing * Cost.sortedRow : 0
    let test = residual?.hasSearch == true ? Cost.searchedRow : 0
    return startCost(rows, visited) + visited * (rowCost + test) + sorting
  }

  /// The cost of a row that is read and tested.
  private var rowCost: Double {
    switch access {
    case .nothing: 0
    case .rows: Cost.scannedRow
    case .keys: Cost.fetchedRow
    case .index, .lookup, .union: Cost.fetchedRow + Cost.entry
    case .intersection: Cost.fetchedRow
    }
  }

  /// The cost of a row that is only counted.
  private var countCost: Double {
    switch access {
    case .nothing: 0
    case .rows(.all): 0
    case .rows, .index: Cost.entry
    case .keys: Cost.fetchedRow
    case .lookup, .union: Cost.entry * 3
    case .intersection: Cost.entry
    }
  }

  /// The cost before the first row comes.
  private func startCost(_ rows: Double, _ visited: Double) -> Double {
    guard case .walk(let walk) = delivery else {
      // All entries are collected and sorted, however few of their rows are wanted.
      switch access {
      case .index, .lookup, .union: return (rows - visited) * Cost.entry
      case .nothing, .rows, .keys, .intersection: return 0
      }
    }
    // The lists of all candidates are read to find the best of them.
    if ranked != nil { return rows * Cost.entry }
    return switch walk.ties {
    case .asStored: 0
    case .reversed: visited * Cost.entry
    case .unordered: visited * Cost.sortedRow
    }
  }
}

extension Plan.Access {
  /// How many rows the access brings; counted up to a bound, then guessed.
  func estimate(
    of total: Int, upTo bound: Int, _ table: Table,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan.Estimate {
    switch self {
    case .nothing: return Plan.Estimate(count: 0, isExact: true)
    case .keys(let codes): return Plan.Estimate(count: min(codes.count, total), isExact: false)
    case .rows(.all): return Plan.Estimate(count: total, isExact: true)
    case .rows(let range):
      return try Self.count([range], of: total, upTo: bound) {
        try transaction.countChecking(table.rows, in: $0, upTo: $1)
      }
    case .index(let index, let ranges):
      let entries = try transaction.count(of: index.entries)
      if ranges == [.all] { return Plan.Estimate(count: entries, isExact: true) }
      return try Self.count(ranges, of: entries, upTo: bound) {
        try transaction.countChecking(index.entries, in: $0, upTo: $1)
      }
    case .lookup(let lookup): return try lookup.estimate(upTo: bound, in: transaction)
    case .union(let members), .intersection(let members):
      var sum = Plan.Estimate(count: 0, isExact: false)
      for member in members {
        sum.count += try member.estimate(of: total, upTo: bound, table, in: transaction).count
      }
      return Plan.Estimate(count: min(sum.count, total), isExact: false)
    }
  }

  private static func count(
    _ ranges: [KeyRange], of total: Int, upTo bound: Int,
    _ look: (KeyRange, Int) throws -> Int
  ) throws -> Plan.Estimate {
    var count = 0
    for range in ranges where count <= bound {
      count += try look(range, bound - count)
    }
    if count <= bound { return Plan.Estimate(count: count, isExact: true) }
    // A third is the usual guess, but no less than the entries that were counted.
    return Plan.Estimate(count: max(count, total / 3), isExact: false)
  }
}
