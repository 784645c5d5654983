import LMDB

// The cost of plans, in units of one row of a scan. The figures are estimates, which the article
// "Query planning" names; they decide speed and never results.

extension Plan {
  private enum Cost {
    static let scannedRow = 1.0
    static let entry = 0.4
    /// A row found by its key, after neighbours.
    static let fetchedRow = 7.0
    static let sortedRow = 4.0
    /// The share of the rows that a test is assumed to pass.
    static let passing = 0.4
  }

  /// The plan with its rows counted or guessed, and its cost.
  func estimated(
    of total: Int, for purpose: Purpose, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan {
    var plan = self
    // Where an index brings more entries, a scan costs less.
    let bound = total / 8 + 64
    let rows = try access.estimate(of: total, upTo: bound, table, in: transaction)
    plan.rows = rows
    plan.cost = cost(of: Double(rows.count), purpose)
    return plan
  }

  /// The plan with its rows guessed, where there is no store to count in.
  func guessed(of total: Int) -> Plan {
    var plan = self
    plan.cost = cost(of: Double(access.guess(of: total)), .rows)
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
    if purpose == .count, residual == nil, query.distinct.isEmpty { return rows * countCost }
    var visited = rows
    if !isSorted, query.distinct.isEmpty, let limit = query.limit {
      visited = min(rows, (Double(limit) + Double(query.offset)) / passing)
    }
    let sorting = isSorted ? rows * passing * Cost.sortedRow : 0
    return startCost(rows, visited) + visited * rowCost + sorting
  }

  /// The cost of a row that is read and tested.
  private var rowCost: Double {
    switch access {
    case .nothing: 0
    case .rows: Cost.scannedRow
    case .keys: Cost.fetchedRow
    case .index, .union: Cost.fetchedRow + Cost.entry
    }
  }

  /// The cost of a row that is only counted.
  private var countCost: Double {
    switch access {
    case .nothing: 0
    case .rows(.all): 0
    case .rows, .index: Cost.entry
    case .keys: Cost.fetchedRow
    case .union: Cost.entry * 3
    }
  }

  /// The cost before the first row comes.
  private func startCost(_ rows: Double, _ visited: Double) -> Double {
    guard case .walk(let walk) = delivery else {
      // All entries are collected and sorted, however few of their rows are wanted.
      switch access {
      case .index, .union: return (rows - visited) * Cost.entry
      case .nothing, .rows, .keys: return 0
      }
    }
    return switch walk.ties {
    case .asStored: 0
    case .reversed: visited * Cost.entry
    case .unordered: visited * Cost.sortedRow
    }
  }
}

extension Plan.Access {
  /// How many rows the access brings; counted up to a bound, then guessed.
  fileprivate func estimate(
    of total: Int, upTo bound: Int, _ table: Table,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Estimate {
    switch self {
    case .nothing: return Estimate(count: 0, isExact: true)
    case .keys(let codes): return Estimate(count: min(codes.count, total), isExact: false)
    case .rows(.all): return Estimate(count: total, isExact: true)
    case .rows(let range):
      return try Self.count([range], of: total, upTo: bound) {
        try transaction.count(of: table.rows, in: $0, upTo: $1)
      }
    case .index(let index, let ranges):
      let entries = try transaction.count(of: index.entries)
      if ranges == [.all] { return Estimate(count: entries, isExact: true) }
      return try Self.count(ranges, of: entries, upTo: bound) {
        try transaction.count(of: index.entries, in: $0, upTo: $1)
      }
    case .union(let members):
      var sum = Estimate(count: 0, isExact: false)
      for member in members {
        sum.count += try member.estimate(of: total, upTo: bound, table, in: transaction).count
      }
      return Estimate(count: min(sum.count, total), isExact: false)
    }
  }

  private static func count(
    _ ranges: [KeyRange], of total: Int, upTo bound: Int,
    _ look: (KeyRange, Int) throws -> Int
  ) throws -> Estimate {
    var count = 0
    for range in ranges where count <= bound {
      count += try look(range, bound - count)
    }
    if count <= bound { return Estimate(count: count, isExact: true) }
    // A third is the usual guess, but no less than the entries that were counted.
    return Estimate(count: max(count, total / 3), isExact: false)
  }
}

// The plan of a query without a store, by the indexes that its model declares.

extension Plan {
  /// How many rows an explanation without a store assumes: enough for an index to pay.
  private static let assumedRows = 100_000

  /// The best plan for a large store whose values are spread evenly; it cannot be run.
  init(outlining query: QueryCore, _ schema: Schema) {
    let table = Table(outlining: schema)
    let catalog = Catalog(
      meta: .nowhere, log: nil, generation: 0, models: [table], isComplete: true)
    let plans = Plan.all(query, table, catalog).map { plan in
      plan.guessed(of: Self.assumedRows)
    }
    // The scan is always a candidate; of equal costs the first is chosen, as in a store.
    self = plans.min { $0.cost < $1.cost } ?? plans[0]
    // The assumed number is no estimate of a real store.
    rows = nil
  }
}

extension Plan.Access {
  /// How many rows the access may bring, of a number of rows.
  func guess(of total: Int) -> Int {
    switch self {
    case .nothing: 0
    case .keys(let codes): min(codes.count, total)
    case .rows(.all): total
    case .rows: total / 10
    case .index(_, [.all]): total
    case .index(let index, let ranges):
      min(ranges.reduce(0) { $0 + guess(of: total, in: $1, of: index) }, total)
    case .union(let members): min(members.reduce(0) { $0 + $1.guess(of: total) }, total)
    }
  }

  private func guess(of total: Int, in range: KeyRange, of index: TableIndex) -> Int {
    guard range.isPrefix else { return total / 10 }
    return index.isUnique ? 1 : total / 100
  }
}

extension Table {
  /// A table that is in no store: the model's columns and declared indexes, without trees.
  fileprivate convenience init(outlining schema: Schema) {
    let layout = RowLayout(schema: schema, id: RowLayout.unregistered)
    self.init(
      id: 0, schema: schema, layout: layout, rows: .nowhere,
      indexes: schema.indexes.enumerated().map { slot, index in
        TableIndex(
          id: slot, slot: slot, columns: index.columns, isUnique: index.isUnique,
          entries: .nowhere, layout: layout)
      })
  }
}
