import LMDB

/// The plans that a query can choose from.
///
/// They depend on the catalog alone; which of them costs least depends on the rows, and is estimated for each run.
final class PlanChoice: Sendable {
  let query: QueryCore
  let table: Table
  let catalog: Catalog
  let purpose: Plan.Purpose
  private let conjuncts: [ConditionTree]
  private let order: [SortKey]
  private let candidates: [Candidate]
  /// The plans of each access to the rows, at least one; the last access reads all rows.
  let accesses: [[Plan]]

  private init(
    _ query: QueryCore, _ table: Table, _ catalog: Catalog, _ purpose: Plan.Purpose,
    _ conjuncts: [ConditionTree], _ order: [SortKey], _ candidates: [Candidate],
    _ accesses: [[Plan]]
  ) {
    (self.query, self.table, self.catalog, self.purpose) = (query, table, catalog, purpose)
    (self.conjuncts, self.order, self.candidates, self.accesses) = (
      conjuncts, order, candidates, accesses
    )
  }

  convenience init(
    _ query: QueryCore, _ table: Table, _ catalog: Catalog, for purpose: Plan.Purpose
  ) {
    let conjuncts = query.condition.conjuncts
    let order = purpose == .count ? [] : query.effectiveOrder(conjuncts, table.schema)
    let candidates = Candidate.all(conjuncts, table, isOrdered: !order.isEmpty)
    self.init(
      query, table, catalog, purpose, conjuncts, order, candidates,
      Self.plans(of: candidates, query, table, catalog, purpose, conjuncts, order))
  }

  /// The plan of a count alone, where one costs less than all others.
  convenience init(
    leastOf query: QueryCore, _ table: Table, _ catalog: Catalog, for purpose: Plan.Purpose
  ) {
    if let plan = Plan(counting: query, table, catalog, purpose) {
      self.init(query, table, catalog, purpose, [], [], [], [[plan]])
    } else {
      self.init(query, table, catalog, for: purpose)
    }
  }

  /// The plans that read the rows which one access brings.
  var plans: [Plan] { accesses.flatMap(\.self) }

  /// Whether the plans may be kept: those of a search index hold its answer.
  var isLasting: Bool {
    !candidates.contains { $0.access.hasLookup }
  }

  /// The plans that read the rows which two indexes bring, and no others.
  var intersections: [Plan] { intersections(of: pairs) }

  /// Those of the plans whose entries alone cost less than another plan.
  func intersections(
    cheaperThan cost: Double, of total: Int,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [Plan] {
    let pairs = pairs
    let bound = Plan.mostMatched(of: total, upTo: cost)
    var costs: [Int: Double] = [:]
    for place in Set(pairs.flatMap { [$0.0, $0.1] }) {
      let rows = try candidates[place].access.estimate(
        of: total, upTo: bound, table, in: transaction)
      costs[place] = Double(rows.count) * PlanCost.matchedEntry
    }
    return intersections(
      of: pairs.filter { costs[$0.0, default: 0] + costs[$0.1, default: 0] < cost })
  }

  /// The places of two candidates that read some entries of one index each, and fewer rows together.
  private var pairs: [(Int, Int)] {
    let indexes = candidates.indices.filter {
      candidates[$0].isBounded && candidates[$0].isOfOneIndex
    }
    return indexes.flatMap { first in
      indexes.filter { first < $0 && candidates[first].narrows(candidates[$0]) }.map { (first, $0) }
    }
  }

  private func intersections(of pairs: [(Int, Int)]) -> [Plan] {
    let both = pairs.map { Candidate(intersecting: candidates[$0.0], candidates[$0.1]) }
    return Self.plans(of: both, query, table, catalog, purpose, conjuncts, order).flatMap(\.self)
  }

  private static func plans(
    of candidates: [Candidate], _ query: QueryCore, _ table: Table, _ catalog: Catalog,
    _ purpose: Plan.Purpose, _ conjuncts: [ConditionTree], _ order: [SortKey]
  ) -> [[Plan]] {
    candidates.compactMap { candidate in
      let rest = conjuncts.indices.filter { !candidate.answered.contains($0) }.map { conjuncts[$0] }
      let residual = rest.isEmpty ? nil : ConditionTree(all: rest)
      // A count hands out no row that would have to be tested.
      let answered =
        purpose == .count || candidate.access.indexes.isEmpty
        ? [] : conjuncts.indices.filter(candidate.answered.contains).map { conjuncts[$0] }
      func plan(_ delivery: Plan.Delivery, isSorted: Bool) -> Plan {
        Plan(
          query: query, table: table, catalog: catalog, access: candidate.access,
          delivery: delivery, isSorted: isSorted, residual: residual,
          answered: answered.isEmpty ? nil : ConditionTree(all: answered))
      }
      var plans: [Plan] = []
      // Without a limit all rows are read, and in the order of their keys faster than by relevance.
      let isRanked = order.first?.path.relevance != nil
      if !isRanked || query.limit != nil, let walk = candidate.walk(for: order, table) {
        plans.append(plan(.walk(walk), isSorted: false))
      }
      if candidate.isBounded || candidate.isScan {
        plans.append(plan(.byKey, isSorted: !order.isEmpty))
      }
      return plans.isEmpty ? nil : plans
    }
  }
}

extension Plan.Access {
  fileprivate var hasLookup: Bool {
    switch self {
    case .lookup: true
    case .union(let members), .intersection(let members): members.contains(where: \.hasLookup)
    case .nothing, .rows, .keys, .index: false
    }
  }
}

extension QueryCore {
  /// The order without keys that cannot change it.
  ///
  /// It drops keys named before, columns of one value, and keys after the primary key. The order
  /// is empty where it is that of the primary key ascending.
  func effectiveOrder(_ conjuncts: [ConditionTree], _ schema: Schema) -> [SortKey] {
    var result: [SortKey] = []
    for key in order {
      let isFixed = conjuncts.contains { conjunct in
        switch conjunct {
        case .compare(let path, .equal, _), .isNil(let path): path == key.path
        default: false
        }
      }
      if isFixed || result.contains(where: { $0.path == key.path }) { continue }
      result.append(key)
      if schema.isKey(key.path) { break }
    }
    if let last = result.last, schema.isKey(last.path), !last.isDescending {
      result.removeLast()
    }
    return result
  }

  /// How many rows of the order the limit can show, offset included; nil for all.
  ///
  /// Rows with equal distinct values are dropped after the sort, so any row may be shown.
  var mostShown: Int? {
    distinct.isEmpty ? limit.map { min($0, Int.max - offset) + offset } : nil
  }
}
