import LMDB

extension Plan {
  /// What a plan is made for.
  enum Purpose: Sendable {
    /// The rows, in the query's order.
    case rows
    /// How many there are.
    case count
  }

  /// Chooses the plan that costs least, as far as cheap looks into the trees tell.
  init(
    _ query: QueryCore, _ storage: ModelStorage, _ catalog: Catalog, for purpose: Purpose = .rows,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    #if DEBUG || CROFT_SWARM
      if let forced = ForcedPlan.current?.pick(Plan.all(query, storage, catalog, for: purpose)) {
        self = forced
        return
      }
    #endif
    if purpose == .count, query.distinct.isEmpty,
      let candidate = Candidate(counting: query.condition.conjuncts, storage)
    {
      self.init(
        query: query, storage: storage, catalog: catalog, access: candidate.access,
        delivery: .byKey, isSorted: false, residual: nil, answered: nil)
      return
    }
    let plans = Plan.all(query, storage, catalog, for: purpose)
    if plans.count == 1 {
      self = plans[0]
      return
    }
    let total = try transaction.count(of: storage.rows)
    var best: Plan?
    for plan in plans {
      let plan = try plan.estimated(of: total, for: purpose, in: transaction)
      if best.map({ plan.cost < $0.cost }) ?? true { best = plan }
    }
    self = best ?? plans[0]
  }

  /// Every plan that gives the query's result; the last ones read all rows.
  static func all(
    _ query: QueryCore, _ storage: ModelStorage, _ catalog: Catalog, for purpose: Purpose = .rows
  ) -> [Plan] {
    let conjuncts = query.condition.conjuncts
    let order = purpose == .count ? [] : query.effectiveOrder(conjuncts, storage.shape)
    return Candidate.all(conjuncts, storage, isOrdered: !order.isEmpty).flatMap { candidate in
      let rest = conjuncts.indices.filter { !candidate.settled.contains($0) }.map { conjuncts[$0] }
      let residual = rest.isEmpty ? nil : Expression.all(rest)
      let settled = conjuncts.indices.filter { candidate.settled.contains($0) }.map {
        conjuncts[$0]
      }
      let answered =
        settled.isEmpty || candidate.access.indexes.isEmpty ? nil : Expression.all(settled)
      func plan(_ delivery: Delivery, isSorted: Bool) -> Plan {
        Plan(
          query: query, storage: storage, catalog: catalog, access: candidate.access,
          delivery: delivery, isSorted: isSorted, residual: residual,
          answered: answered)
      }
      var plans: [Plan] = []
      if let walk = candidate.walk(for: order, storage) {
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
  /// The order without what changes nothing.
  ///
  /// That is a key named before, a column of one value, and all behind the primary key. The order
  /// is empty where it is the primary key's, ascending.
  func effectiveOrder(_ conjuncts: [Expression], _ shape: ModelShape) -> [SortKey] {
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
      if shape.isKey(key.path) { break }
    }
    if let last = result.last, shape.isKey(last.path), !last.isDescending {
      result.removeLast()
    }
    return result
  }
}

extension Candidate {
  /// Whether all rows are read.
  var isScan: Bool {
    if case .rows(.all) = access { true } else { false }
  }

  /// How walking the tree gives an order, where it does.
  ///
  /// - Parameter order: The effective order.
  fileprivate func walk(for order: [SortKey], _ storage: ModelStorage) -> Walk? {
    switch access {
    case .rows:
      let isBackward = order.count == 1 && storage.shape.isKey(order[0].path)
      return isBackward ? Walk(direction: .backward) : nil
    case .index(let index, let ranges):
      return walk(of: index, ranges, for: order, storage.shape)
    case .nothing, .keys, .union: return nil
    }
  }

  private func walk(
    of index: IndexStorage, _ ranges: [KeyRange], for order: [SortKey], _ shape: ModelShape
  ) -> Walk? {
    var keys = order
    let key = keys.last.flatMap { shape.isKey($0.path) ? keys.popLast() : nil }
    let rest = index.columns[fixedColumns...]
    guard keys.count <= rest.count, index.columns.allSatisfy({ shape.givesOneEntry($0) }) else {
      return nil
    }
    var walk = Walk(columns: fixedColumns + keys.count)
    if let first = keys.first, let column = rest.first {
      walk.direction = first.isDescending == column.isDescending ? .forward : .backward
    } else if key != nil {
      walk.direction = .backward
    }
    let fits = zip(keys, rest).allSatisfy { key, column in
      key.path.isColumn(column.place) && !column.isCaseFolded
        && (key.isDescending != column.isDescending) == (walk.direction == .backward)
    }
    guard fits else { return nil }
    if keys.count < rest.count {
      // Without keys this is no more than collecting and sorting all.
      if keys.isEmpty { return nil }
      walk.ties = .sort
    } else if (key != nil) != (walk.direction == .backward) {
      walk.ties = key == nil ? .turn : .sort
    }
    return walk
  }
}

extension ModelShape {
  /// Whether every row has exactly one entry for a column of an index.
  func givesOneEntry(_ column: IndexColumn) -> Bool {
    columns[column.place].storage.collection == nil
  }

  /// Whether a path is the whole primary key.
  fileprivate func isKey(_ path: ColumnPath) -> Bool { !isKeyCompound && path.isColumn(keyIndex) }
}
