import LMDB

/// The plans that a query can choose from.
struct PlanChoice {
  private let query: QueryCore
  private let table: Table
  private let catalog: Catalog
  private let purpose: Plan.Purpose
  private let conjuncts: [ConditionTree]
  private let order: [SortKey]
  private let candidates: [Candidate]

  init(_ query: QueryCore, _ table: Table, _ catalog: Catalog, for purpose: Plan.Purpose) {
    (self.query, self.table, self.catalog, self.purpose) = (query, table, catalog, purpose)
    conjuncts = query.condition.conjuncts
    order = purpose == .count ? [] : query.effectiveOrder(conjuncts, table.schema)
    candidates = Candidate.all(conjuncts, table, isOrdered: !order.isEmpty)
  }

  /// The plans with one way to the rows; the last ones read all rows.
  var plans: [Plan] { plans(of: candidates) }

  /// The plans that read the rows which two indexes bring, and no others.
  var intersections: [Plan] { intersections { _, _ in true } }

  /// Those of the plans whose entries alone cost less than another plan.
  func intersections(
    cheaperThan cost: Double, of total: Int,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [Plan] {
    let indexes = indexes
    guard indexes.count > 1 else { return [] }
    let bound = Plan.mostCounted(of: total)
    var costs: [Double] = []
    for index in indexes {
      let rows = try index.access.estimate(of: total, upTo: bound, table, in: transaction)
      costs.append(Double(rows.count) * Plan.Cost.matchedEntry)
    }
    return intersections { costs[$0] + costs[$1] < cost }
  }

  /// The candidates that read some entries of one index.
  private var indexes: [Candidate] { candidates.filter { $0.isBounded && $0.isOfOneIndex } }

  private func intersections(where isWanted: (Int, Int) -> Bool) -> [Plan] {
    let indexes = indexes
    var pairs: [Candidate] = []
    for (first, index) in indexes.enumerated() {
      for second in indexes.indices[(first + 1)...] where isWanted(first, second) {
        pairs.append(Candidate(intersecting: index, indexes[second]))
      }
    }
    return plans(of: pairs)
  }

  private func plans(of candidates: [Candidate]) -> [Plan] {
    candidates.flatMap { candidate in
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
      return plans
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
