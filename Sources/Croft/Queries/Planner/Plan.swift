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
    /// How many were counted; where a bound ended the count, one more than that.
    var counted: Int

    init(count: Int, isExact: Bool, counted: Int? = nil) {
      (self.count, self.isExact, self.counted) = (count, isExact, counted ?? count)
    }
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
    let accesses = choice.accesses
    let first = accesses[0][0]
    if accesses.count == 1, accesses[0].count == 1 {
      self = first
      return
    }
    let total = try transaction.count(of: table.rows)
    var least = try LeastCost(of: accesses, total, for: purpose, in: transaction)
    if least.cost > PlanCost.leastToIntersect {
      for plan in try choice.intersections(cheaperThan: least.cost, of: total, in: transaction) {
        try least.consider(plan, of: total, for: purpose, in: transaction)
      }
    }
    self = least.plan ?? first
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
