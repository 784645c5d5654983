import LMDB

/// One way to reach the rows of some conjuncts, before its cost is estimated.
struct Candidate {
  let access: Plan.Access
  /// The conjuncts that the access answers, so that rows need not be tested for them.
  let answered: CandidateBounds.ConjunctSet
  /// How many leading columns of the index have one value.
  var fixedColumns = 0
  /// How many leading columns of the index have bounds.
  private var boundColumns = 0
  /// Whether the terms of an `or` narrow the ranges further.
  private var isNarrowed = false

  init(access: Plan.Access, answered: CandidateBounds.ConjunctSet) {
    (self.access, self.answered) = (access, answered)
  }
}

extension Candidate {
  /// All ways to reach the rows of a condition; the last is to read them all.
  ///
  /// - Parameter isOrdered: Whether an index may serve for its order alone.
  static func all(
    _ conjuncts: [ConditionTree], _ table: Table, isOrdered: Bool
  ) -> [Candidate] {
    if conjuncts.contains(where: \.isNever) {
      return [Candidate(access: .nothing, answered: CandidateBounds.ConjunctSet())]
    }
    var candidates = table.indexes.compactMap {
      $0.isReadable ? $0.candidate(for: conjuncts, of: table, isOrdered: isOrdered) : nil
    }
    if let key = Candidate(key: conjuncts, table) { candidates.append(key) }
    // Where an index answers the whole condition, a union reads the same rows.
    let isAnswered = candidates.contains { $0.answersAll(conjuncts) }
    for (ordinal, conjunct) in conjuncts.enumerated() where !isAnswered {
      guard case .or(let terms) = conjunct else { continue }
      if let union = Candidate(union: terms.list, ordinal, table) { candidates.append(union) }
    }
    candidates.append(Candidate(access: .rows(.all), answered: CandidateBounds.ConjunctSet()))
    return candidates
  }

  /// Whether the rows of both may be fewer than those of one alone.
  ///
  /// They are not where the leading columns that bound one of two indexes bound the other as well.
  func narrows(_ other: Candidate) -> Bool { !contains(other) && !other.contains(self) }

  /// Whether the access brings all rows of another one, because it has no other bounds.
  private func contains(_ other: Candidate) -> Bool {
    guard case .index(let index, _) = access, case .index(let otherIndex, _) = other.access,
      !isNarrowed, boundColumns <= other.boundColumns
    else { return false }
    return zip(index.columns, otherIndex.columns).prefix(boundColumns).allSatisfy {
      $0.source == $1.source && $0.isCaseFolded == $1.isCaseFolded
    }
  }

  init(intersecting first: Candidate, _ second: Candidate) {
    self.init(
      access: .intersection([first.access, second.access]),
      answered: first.answered.union(second.answered))
  }

  /// An access whose entries are the rows to count; nil where a count has to read rows.
  ///
  /// It is taken without comparing costs, because entries are counted by their pages.
  init?(counting conjuncts: [ConditionTree], _ table: Table) {
    if conjuncts.contains(where: \.isNever) { return nil }
    if let candidate = Candidate(countingEqual: conjuncts, table) {
      self = candidate
      return
    }
    for index in table.entryIndexes where index.multiple == nil && index.isReadable {
      guard conjuncts.contains(where: { $0.isAbout(index.columns[0]) }),
        let candidate = Candidate(index, conjuncts, table), candidate.answersAll(conjuncts)
      else { continue }
      self = candidate
      return
    }
    guard let candidate = Candidate(key: conjuncts, table), candidate.answersAll(conjuncts) else {
      return nil
    }
    // A key that was asked for need not exist.
    if case .keys = candidate.access { return nil }
    self = candidate
  }

  /// The access for a count of one value of an index, the most usual one, without lists of codes.
  private init?(countingEqual conjuncts: [ConditionTree], _ table: Table) {
    guard conjuncts.count == 1, case .compare(let path, .equal, let value) = conjuncts[0] else {
      return nil
    }
    for index in table.entryIndexes where index.multiple == nil && index.isReadable {
      let part = index.parts[0]
      let isOver =
        if case .column(let place) = part.source { path.ownPlace == place } else {
          index.columns[0].isOver(path)
        }
      guard isOver, !part.isCaseFolded else { continue }
      let code = index.storages[0].code(of: value, cut: index.cut)
      if code.isCut { return nil }
      let prefix = part.isDescending ? KeyOrder.inverted(code.bytes) : code.bytes
      self.init(access: .index(index, [.prefix(prefix)]), answered: CandidateBounds.ConjunctSet(0))
      return
    }
    return nil
  }

  private func answersAll(_ conjuncts: [ConditionTree]) -> Bool {
    conjuncts.indices.allSatisfy { answered.contains($0) }
  }

  /// An index: its leading columns as long as conjuncts list their values, then a range.
  ///
  /// Nil where a matching row may have no entry.
  init?(_ index: EntryIndex, _ conjuncts: [ConditionTree], _ table: Table) {
    // No condition can name a field that the program does not declare.
    guard index.columns.allSatisfy({ table.schema.declares($0) }) else { return nil }
    let ranges = CandidateBounds.IndexRanges(of: conjuncts, index, table.schema)
    let open = index.columns[min(ranges.bounds.boundColumns, index.columns.count)...]
    // An empty collection has no entry, so an open column must have one entry in every row.
    guard open.allSatisfy({ table.schema.givesOneEntry($0) }) else { return nil }
    access = ranges.ranges.isEmpty ? .nothing : .index(index, ranges.ranges)
    answered = ranges.answered
    fixedColumns = min(ranges.bounds.fixedColumns, index.columns.count)
    boundColumns = min(ranges.bounds.boundColumns, index.columns.count)
    isNarrowed = ranges.isNarrowed
  }

  /// The primary key: single rows, or a range of them.
  private init?(key conjuncts: [ConditionTree], _ table: Table) {
    let columns = table.schema.keyPlaces.map { IndexColumn(place: $0) }
    let bounds = CandidateBounds(conjuncts, columns, table.schema, cut: nil)
    if bounds.prefixes.isEmpty {
      self.init(access: .nothing, answered: bounds.answered)
    } else if bounds.columns == columns.count, bounds.range == nil {
      self.init(access: .keys(bounds.prefixes), answered: bounds.answered)
    } else if bounds.prefixes.count == 1, let range = bounds.ranges.first, range != .all {
      self.init(access: .rows(range), answered: bounds.answered)
    } else {
      return nil
    }
  }

  /// ConditionTree.Terms of which one must hold, each by an index or the primary key of its own.
  private init?(union terms: [ConditionTree], _ ordinal: Int, _ table: Table) {
    var members: [Plan.Access] = []
    var isExact = true
    for term in terms {
      let conjuncts = term.conjuncts
      // The most selective by its kind: the rows of a union's terms are not counted here.
      guard
        let best = Candidate.all(conjuncts, table, isOrdered: false)
          .filter({ $0.isBounded }).min(by: { $0.rank < $1.rank })
      else { return nil }
      isExact = isExact && conjuncts.indices.allSatisfy { best.answered.contains($0) }
      if case .union(let inner) = best.access {
        members += inner
      } else {
        members.append(best.access)
      }
    }
    self.init(
      access: members.isEmpty ? .nothing : .union(members),
      answered: isExact ? CandidateBounds.ConjunctSet(ordinal) : CandidateBounds.ConjunctSet())
  }

  /// Whether the access leaves rows out.
  var isBounded: Bool {
    switch access {
    case .nothing, .keys, .lookup, .union, .intersection: true
    case .rows(let range): range != .all
    case .index(_, let ranges): ranges != [.all]
    }
  }

  var isOfOneIndex: Bool {
    switch access {
    case .index, .lookup: true
    case .nothing, .rows, .keys, .union, .intersection: false
    }
  }

  /// The selectivity by the kind of access alone; smaller is more selective.
  private var rank: Int {
    switch access {
    case .nothing: 0
    case .keys: 1
    case .index(let index, _) where fixedColumns == index.columns.count: index.isUnique ? 2 : 3
    case .index(_, let ranges) where fixedColumns > 0 || ranges.count > 1: 4
    case .lookup: 4
    case .rows: 5
    case .index: 6
    case .union, .intersection: 7
    }
  }

  /// Whether all rows are read.
  var isScan: Bool {
    if case .rows(.all) = access { true } else { false }
  }

  /// The walk through the tree that gives an order; nil where none does.
  func walk(for order: [SortKey], _ table: Table) -> Plan.Walk? {
    switch access {
    case .rows:
      let isBackward = order.count == 1 && table.schema.isKey(order[0].path)
      return isBackward ? Plan.Walk(direction: .backward) : nil
    case .index(let index, let ranges):
      return walk(of: index, ranges, for: order, table.schema)
    case .lookup(let lookup): return lookup.delivers(order) ? Plan.Walk() : nil
    case .nothing, .keys, .union, .intersection: return nil
    }
  }

  private func walk(
    of index: EntryIndex, _ ranges: [KeyRange], for order: [SortKey], _ schema: Schema
  ) -> Plan.Walk? {
    var keys = order
    let key = keys.last.flatMap { schema.isKey($0.path) ? keys.popLast() : nil }
    let rest = index.columns[fixedColumns...]
    guard keys.count <= rest.count, index.columns.allSatisfy({ schema.givesOneEntry($0) }) else {
      return nil
    }
    var walk = Plan.Walk(columns: fixedColumns + keys.count)
    if let first = keys.first, let column = rest.first {
      walk.direction = first.isDescending == column.isDescending ? .forward : .backward
    } else if key != nil {
      walk.direction = .backward
    }
    let fits = zip(keys, rest).allSatisfy { key, column in
      column.isOver(key.path) && !column.isCaseFolded
        && (key.isDescending != column.isDescending) == (walk.direction == .backward)
    }
    guard fits else { return nil }
    if keys.count < rest.count {
      // Without keys this would collect and sort all entries.
      if keys.isEmpty { return nil }
      walk.ties = .unordered
    } else if (key != nil) != (walk.direction == .backward) {
      walk.ties = key == nil ? .reversed : .unordered
    }
    return walk
  }
}

extension Schema {
  /// Whether every row has exactly one entry for a column of an index.
  func givesOneEntry(_ column: IndexColumn) -> Bool {
    definition(of: column).storage.collection == nil
  }

  /// Whether the program declares all that a column of an index reads.
  fileprivate func declares(_ column: IndexColumn) -> Bool {
    column.places.allSatisfy { $0 < columns.count }
  }

  /// Whether a path is the whole primary key.
  func isKey(_ path: ColumnPath) -> Bool { !isKeyCompound && path.ownPlace == keyIndex }
}

extension ConditionTree {
  /// Whether the term, or each term of an `or`, tests a column of the model itself, so that an index may
  /// answer it.
  func isAbout(_ column: IndexColumn) -> Bool {
    switch self {
    case .not(.isNil(let path)), .any(let path, _): column.isOver(path)
    case .or(let terms):
      terms.allSatisfy { term in term.conjuncts.contains { $0.isAbout(column) } }
    default: path.map(column.isOver) ?? false
    }
  }

  /// Whether no row can match.
  var isNever: Bool {
    switch self {
    case .constant(false), .within(_, []): true
    case .compare(_, _, let value): value.isNotANumber
    case .any(_, let condition): condition.isNever
    default: false
    }
  }
}
