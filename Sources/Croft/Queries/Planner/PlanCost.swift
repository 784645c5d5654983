import LMDB

// The figures are estimates, which the article "Query planning" names; they decide speed and never
// results.

/// What a plan costs, by the rows that its access brings, in units of one row of a scan.
///
/// It never costs less to bring more rows.
struct PlanCost: Sendable {
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
  /// The cost up to which the rows of all plans are counted first.
  static let firstLimit = 1_024.0
  /// How many times higher the limit is where all plans cost far more.
  static let nextLimit = 16.0
  /// How many times higher it is at least.
  static let leastStep = 4.0
  /// How much higher it is than one that is expected to be enough.
  static let reserve = 1.25

  /// The cost of a row that is read.
  fileprivate(set) var readRow: Double
  /// How many rows are read at most.
  fileprivate(set) var mostRead = Double.infinity
  /// The cost of a row past those.
  fileprivate(set) var otherRow = 0.0
  /// How many rows must pass a test; nil where no limit ends the reading, or no row is tested.
  fileprivate(set) var wanted: Double?

  /// The cost of a number of rows.
  ///
  /// - Parameter matching: How many rows of the table match at most, as far as that was counted.
  func callAsFunction(_ rows: Double, matching: Double = .infinity) -> Double {
    var most = mostRead
    if let wanted, matching < rows {
      // Rows that match are assumed to be spread evenly.
      most = matching < 1 ? .infinity : max(most, wanted * rows / matching)
    }
    let read = min(rows, most)
    return read * readRow + (rows - read) * otherRow
  }

  /// How many rows must be counted to know the cost, or that it is higher than another.
  func rows(upTo cost: Double) -> Double {
    let read = readRow == 0 ? .infinity : cost / readRow
    // How many rows are read until enough have passed the test is known from the counts of all accesses.
    if read <= mostRead || wanted != nil { return read }
    return otherRow == 0 ? mostRead : mostRead + (cost - mostRead * readRow) / otherRow
  }
}

extension Plan {
  /// The rows up to which an access is counted.
  ///
  /// Where an index brings more entries, a scan costs less.
  ///
  /// - Parameter rows: How many must be counted for a choice between plans; nil for a plan alone.
  static func mostCounted(of total: Int, deciding rows: Double? = nil) -> Int {
    let most = total / 8 + 64
    guard let rows, rows < Double(most) else { return most }
    return Int(rows.rounded(.up))
  }

  /// The entries up to which an index is counted whose rows are looked for among another's.
  static func mostMatched(of total: Int, upTo cost: Double?) -> Int {
    mostCounted(of: total, deciding: cost.map { $0 / PlanCost.matchedEntry })
  }

  /// The plan with its rows counted or guessed, and its cost.
  ///
  /// - Parameter most: A cost: of two indexes, no more entries are counted than it takes to know whether they
  ///   cost more. Nil to count as many as may be counted.
  func estimated(
    of total: Int, for purpose: Purpose, upTo most: Double? = nil,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan {
    var plan = self
    let cost = cost(for: purpose)
    guard case .intersection(let members) = access else {
      let bound = Self.mostCounted(of: total)
      let rows = try access.estimate(of: total, upTo: bound, table, in: transaction)
      plan.rows = rows
      plan.cost = cost(Double(rows.count))
      return plan
    }
    // What one index finds is assumed to be spread evenly over what the other finds.
    var (entries, rows) = (0.0, Double(total))
    let bound = Self.mostMatched(of: total, upTo: most)
    for member in members {
      let count = try member.estimate(of: total, upTo: bound, table, in: transaction).count
      entries += Double(count)
      rows *= Double(count) / Double(max(total, 1))
    }
    plan.rows = Estimate(count: Int(rows.rounded(.up)), isExact: false)
    plan.cost = entries * PlanCost.matchedEntry + cost(rows)
    return plan
  }

  /// The plan with its rows counted or guessed, for an explanation.
  func withEstimate(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Plan {
    // What decides the choice may be fewer rows than there are.
    if countedRows != nil { return self }
    let total = try transaction.count(of: table.rows)
    return try estimated(of: total, for: .rows, in: transaction)
  }

  /// What it costs by the number of its rows.
  func cost(for purpose: Purpose) -> PlanCost {
    if purpose == .count, residual == nil || countsByLists, query.distinct.isEmpty {
      return PlanCost(readRow: countCost)
    }
    let tests = residual?.conjuncts.count ?? 0
    let passing = max(
      0.01, (0..<min(tests, 5)).reduce(1.0) { share, _ in share * PlanCost.passing })
    var cost = PlanCost(readRow: rowCost)
    if residual?.hasSearch == true { cost.readRow += PlanCost.searchedRow }
    if isSorted {
      cost.readRow += passing * PlanCost.sortedRow
    } else if query.distinct.isEmpty, let limit = query.limit {
      let shown = Double(limit) + Double(query.offset)
      cost.mostRead = shown / passing
      if residual != nil { cost.wanted = shown }
    }
    guard case .walk(let walk) = delivery else {
      // All entries are collected and sorted, however few of their rows are wanted.
      switch access {
      case .index, .lookup, .union: cost.otherRow = PlanCost.entry
      case .nothing, .rows, .keys, .intersection: break
      }
      return cost
    }
    if ranked != nil {
      // The lists of all candidates are read to find the best of them.
      cost.readRow += PlanCost.entry
      cost.otherRow = PlanCost.entry
      return cost
    }
    switch walk.ties {
    case .asStored: break
    case .reversed: cost.readRow += PlanCost.entry
    case .unordered: cost.readRow += PlanCost.sortedRow
    }
    return cost
  }

  /// The cost of a row that is read and tested.
  private var rowCost: Double {
    switch access {
    case .nothing: 0
    case .rows: PlanCost.scannedRow
    case .keys: PlanCost.fetchedRow
    case .index, .lookup, .union: PlanCost.fetchedRow + PlanCost.entry
    case .intersection: PlanCost.fetchedRow
    }
  }

  /// The cost of a row that is only counted.
  private var countCost: Double {
    switch access {
    case .nothing: 0
    case .rows(.all): 0
    case .rows, .index: PlanCost.entry
    case .keys: PlanCost.fetchedRow
    case .lookup, .union: PlanCost.entry * 3
    case .intersection: PlanCost.entry
    }
  }
}

/// The plan that costs least of those that were considered.
struct LeastCost {
  private(set) var plan: Plan?
  private(set) var cost = Double.infinity

  /// Finds the cheapest of the plans of some accesses.
  ///
  /// The rows of each access are counted up to the limit of a plan's cost, which is raised until a plan costs
  /// no more: so the rows of a common value are not counted before those of a rare one.
  init(
    of accesses: [[Plan]], _ total: Int, for purpose: Plan.Purpose,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let isTested = accesses.joined().contains { $0.cost(for: purpose).wanted != nil }
    var limit = PlanCost.firstLimit
    while true {
      (plan, cost) = (nil, .infinity)
      let isCounted =
        if isTested {
          try compareTested(accesses, total, for: purpose, upTo: limit, in: transaction)
        } else {
          try compare(accesses, total, for: purpose, upTo: limit, in: transaction)
        }
      if isCounted || cost <= limit { return }
      limit = Self.limit(after: limit, cost, isTested: isTested)
    }
  }

  private static func limit(after limit: Double, _ cost: Double, isTested: Bool) -> Double {
    if isTested {
      // Such a plan seems to cost half as much where twice as many rows are counted.
      let enough = (limit * cost).squareRoot() * PlanCost.reserve
      return min(limit * PlanCost.nextLimit, max(limit * PlanCost.leastStep, enough))
    }
    // A limit just below the cost would count the entries twice. The cost is a guess that the next count may exceed.
    let isFar = cost > limit * PlanCost.nextLimit * PlanCost.leastStep
    return isFar ? limit * PlanCost.nextLimit : max(cost, limit * PlanCost.leastStep)
  }

  /// Compares all plans, with rows counted up to a cost.
  ///
  /// - Returns: Whether no more rows may be counted.
  private mutating func compare(
    _ accesses: [[Plan]], _ total: Int, for purpose: Plan.Purpose, upTo limit: Double,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    var isCounted = true
    for plans in accesses {
      // What costs more than another plan need not be counted further.
      let (rows, isLast) = try Self.rows(
        of: plans, total, for: purpose, upTo: min(limit, cost), in: transaction)
      isCounted = isCounted && isLast
      for plan in plans { consider(plan, rows, plan.cost(for: purpose)(Double(rows.count))) }
    }
    return isCounted
  }

  /// Compares all plans where a limit ends the reading of one as soon as enough rows have passed a test.
  ///
  /// - Returns: Whether no more rows may be counted.
  private mutating func compareTested(
    _ accesses: [[Plan]], _ total: Int, for purpose: Plan.Purpose, upTo limit: Double,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    let rows = try accesses.map {
      try Self.rows(of: $0, total, for: purpose, upTo: limit, in: transaction)
    }
    for (place, plans) in accesses.enumerated() {
      // Of the rows that an access brings, no more match than another one brings.
      let matching = rows.indices.reduce(total) {
        $1 == place ? $0 : min($0, rows[$1].isLast ? rows[$1].rows.count : rows[$1].rows.counted)
      }
      let rows = rows[place].rows
      for plan in plans {
        let cost = plan.cost(for: purpose)
        consider(plan, rows, cost(Double(rows.count), matching: Double(matching)))
      }
    }
    return rows.allSatisfy(\.isLast)
  }

  /// The rows of the plans of one access, counted up to a cost, and whether no more may be counted.
  private static func rows(
    of plans: [Plan], _ total: Int, for purpose: Plan.Purpose, upTo cost: Double,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> (rows: Plan.Estimate, isLast: Bool) {
    let most = plans.reduce(0) { max($0, $1.cost(for: purpose).rows(upTo: cost)) }
    let bound = Plan.mostCounted(of: total, deciding: most)
    let rows = try plans[0].access.estimate(
      of: total, upTo: bound, plans[0].table, in: transaction)
    return (rows, rows.isExact || bound == Plan.mostCounted(of: total))
  }

  /// Takes a plan that costs less than the others; of two that cost the same, the first.
  private mutating func consider(_ plan: Plan, _ rows: Plan.Estimate?, _ cost: Double) {
    guard self.plan == nil || cost < self.cost else { return }
    (self.plan, self.cost) = (plan, cost)
    self.plan?.rows = rows
    self.plan?.cost = cost
  }

  /// Takes a plan that reads two indexes where it costs less.
  ///
  /// What it costs is to read their entries, above all, which no limit ends.
  mutating func consider(
    _ plan: Plan, of total: Int, for purpose: Plan.Purpose,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let plan = try plan.estimated(of: total, for: purpose, upTo: cost, in: transaction)
    consider(plan, plan.rows, plan.cost)
  }
}

extension Plan.Estimate {
  /// A guess, where more were counted than a bound.
  init(moreThan bound: Int, of total: Int) {
    // A third is the usual guess, but no less than what was counted.
    self.init(count: max(bound + 1, total / 3), isExact: false, counted: bound + 1)
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
        let rows = try member.estimate(of: total, upTo: bound, table, in: transaction)
        sum.count += rows.count
        sum.counted += rows.counted
      }
      return Plan.Estimate(count: min(sum.count, total), isExact: false, counted: sum.counted)
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
    return count <= bound
      ? Plan.Estimate(count: count, isExact: true) : Plan.Estimate(moreThan: bound, of: total)
  }
}
