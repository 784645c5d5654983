import LMDB

/// One way to reach the rows of some conjuncts, before anything is known of its cost.
struct Candidate {
  let access: Plan.Access
  /// The conjuncts that the access answers by itself.
  let settled: ConjunctSet
  /// How many leading columns of the index have one value.
  var fixedColumns = 0

  /// All ways to reach the rows of a condition; the last is to read them all.
  ///
  /// - Parameter isOrdered: Whether an index may serve for its order alone.
  static func all(
    _ conjuncts: [Expression], _ table: Table, isOrdered: Bool
  ) -> [Candidate] {
    if conjuncts.contains(where: \.isNever) {
      return [Candidate(access: .nothing, settled: ConjunctSet())]
    }
    var candidates = table.indexes.compactMap { index in
      isOrdered || conjuncts.contains { $0.isAbout(index.columns[0].place) }
        ? Candidate(index, conjuncts, table) : nil
    }
    if let key = Candidate(key: conjuncts, table) { candidates.append(key) }
    for (ordinal, conjunct) in conjuncts.enumerated() {
      guard case .or(let terms) = conjunct else { continue }
      if let union = Candidate(union: terms.list, ordinal, table) { candidates.append(union) }
    }
    candidates.append(Candidate(access: .rows(.all), settled: ConjunctSet()))
    return candidates
  }

  private init(access: Plan.Access, settled: ConjunctSet) {
    self.access = access
    self.settled = settled
  }

  /// Entries of an index, or of the rows' tree, that a count need only count; nil where a count has
  /// to look at rows.
  ///
  /// Whatever else there is, nothing is quicker: entries are counted by their pages.
  init?(counting conjuncts: [Expression], _ table: Table) {
    if conjuncts.contains(where: \.isNever) { return nil }
    if let candidate = Candidate(countingEqual: conjuncts, table) {
      self = candidate
      return
    }
    for index in table.indexes where index.multiple == nil {
      guard conjuncts.contains(where: { $0.isAbout(index.columns[0].place) }),
        let candidate = Candidate(index, conjuncts, table), candidate.settlesAll(conjuncts)
      else { continue }
      self = candidate
      return
    }
    guard let candidate = Candidate(key: conjuncts, table), candidate.settlesAll(conjuncts) else {
      return nil
    }
    // A key that was asked for need not exist.
    if case .keys = candidate.access { return nil }
    self = candidate
  }

  /// The most usual count, of one value of an index, without the lists that other conditions need.
  private init?(countingEqual conjuncts: [Expression], _ table: Table) {
    guard conjuncts.count == 1, case .compare(let path, .equal, let value) = conjuncts[0] else {
      return nil
    }
    for index in table.indexes where index.multiple == nil && index.isReadable {
      let column = index.columns[0]
      guard path.isColumn(column.place), !column.isCaseFolded else { continue }
      let code = table.schema.columns[column.place].code(of: value, cut: index.cut)
      if code.isCut { return nil }
      let prefix = column.isDescending ? KeyOrder.inverted(code.bytes) : code.bytes
      self.init(access: .index(index, [.prefix(prefix)]), settled: ConjunctSet(0))
      return
    }
    return nil
  }

  private func settlesAll(_ conjuncts: [Expression]) -> Bool {
    conjuncts.indices.allSatisfy { settled.contains($0) }
  }

  /// An index: its leading columns as long as conjuncts list their values, then a range.
  ///
  /// Nil where rows have no entry that the conjuncts would find.
  private init?(_ index: TableIndex, _ conjuncts: [Expression], _ table: Table) {
    // A field that the program does not declare is in no condition.
    guard index.isReadable, index.columns.allSatisfy({ $0.place < table.schema.columns.count })
    else { return nil }
    let bounds = KeyBounds(conjuncts, index.columns, table.schema, cut: index.cut)
    let open = index.columns[min(bounds.boundColumns, index.columns.count)...]
    // An empty collection has no entry: only one that must not be empty is found.
    guard open.allSatisfy({ table.schema.givesOneEntry($0) }) else { return nil }
    access = bounds.prefixes.isEmpty ? .nothing : .index(index, bounds.ranges)
    settled = bounds.settled
    fixedColumns = bounds.fixedColumns
  }

  /// The primary key: single rows, or a range of them.
  private init?(key conjuncts: [Expression], _ table: Table) {
    let columns = table.schema.keyPlaces.map { IndexColumn(place: $0) }
    let bounds = KeyBounds(conjuncts, columns, table.schema, cut: nil)
    if bounds.prefixes.isEmpty {
      self.init(access: .nothing, settled: bounds.settled)
    } else if bounds.columns == columns.count, bounds.range == nil {
      self.init(access: .keys(bounds.prefixes), settled: bounds.settled)
    } else if bounds.prefixes.count == 1, let range = bounds.ranges.first, range != .all {
      self.init(access: .rows(range), settled: bounds.settled)
    } else {
      return nil
    }
  }

  /// Terms of which one must hold, each by an index or the primary key of its own.
  private init?(union terms: [Expression], _ ordinal: Int, _ table: Table) {
    var members: [Plan.Access] = []
    var isExact = true
    for term in terms {
      let conjuncts = term.conjuncts
      // The most selective by kind: nothing is looked up for a term of a union.
      guard
        let best = Candidate.all(conjuncts, table, isOrdered: false)
          .filter({ $0.isBounded }).min(by: { $0.rank < $1.rank })
      else { return nil }
      isExact = isExact && conjuncts.indices.allSatisfy { best.settled.contains($0) }
      if case .union(let inner) = best.access {
        members += inner
      } else {
        members.append(best.access)
      }
    }
    self.init(
      access: members.isEmpty ? .nothing : .union(members),
      settled: isExact ? ConjunctSet(ordinal) : ConjunctSet())
  }

  /// Whether the access leaves something out.
  var isBounded: Bool {
    switch access {
    case .nothing, .keys, .union: true
    case .rows(let range): range != .all
    case .index(_, let ranges): ranges != [.all]
    }
  }

  /// Smaller is more selective, as far as the kind tells.
  private var rank: Int {
    switch access {
    case .nothing: 0
    case .keys: 1
    case .index(let index, _) where fixedColumns == index.columns.count: index.isUnique ? 2 : 3
    case .index(_, let ranges) where fixedColumns > 0 || ranges.count > 1: 4
    case .rows: 5
    case .index: 6
    case .union: 7
    }
  }
}

/// What conjuncts say of several columns whose codes stand one behind the other.
struct KeyBounds {
  /// The codes of the leading columns whose values are listed; ascending.
  private(set) var prefixes: [[UInt8]] = [[]]
  /// How many leading columns have their values listed.
  private(set) var columns = 0
  /// How many leading columns have one value.
  private(set) var fixedColumns = 0
  /// The range of the column behind them.
  private(set) var range: (lower: [UInt8]?, upper: [UInt8]?)?
  private(set) var settled = ConjunctSet()

  init(_ conjuncts: [Expression], _ columns: [IndexColumn], _ schema: Schema, cut: Int?) {
    for (place, column) in columns.enumerated() {
      let constraint = ColumnConstraint(conjuncts, column, schema.columns[column.place], cut: cut)
      // Values of several columns multiply: past a bound the rest is tested on the rows.
      guard let codes = constraint.codes,
        place == 0 || prefixes.count * codes.count <= Threshold.rangesPerIndex.value
      else {
        guard constraint.hasRange else { return }
        settled.formUnion(constraint.settledByRange)
        range = (constraint.lower, constraint.upper)
        return
      }
      if place > 0, codes.count > 1 { CoverageMark.hit(.rangesMultiplied) }
      prefixes = prefixes.flatMap { prefix in codes.map { prefix + $0 } }
      settled.formUnion(constraint.settledByCodes)
      self.columns += 1
      if codes.count == 1, fixedColumns == place { fixedColumns += 1 }
    }
  }

  /// How many leading columns are bounded in some way.
  var boundColumns: Int { columns + (range == nil ? 0 : 1) }

  /// The ranges of keys, disjoint and ascending.
  var ranges: [KeyRange] {
    prefixes.map { prefix in
      range.map { KeyRange(prefix: prefix, from: $0.lower, to: $0.upper) } ?? .prefix(prefix)
    }
  }
}

extension Expression {
  /// Whether the term speaks of a column of the model itself, as far as an index may answer it.
  fileprivate func isAbout(_ place: Int) -> Bool {
    switch self {
    case .not(.isNil(let path)), .any(let path, _): path.isColumn(place)
    default: path?.isColumn(place) ?? false
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
