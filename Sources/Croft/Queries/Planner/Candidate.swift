import LMDB

/// One way to reach the rows of some conjuncts, before its cost is estimated.
struct Candidate {
  let access: Plan.Access
  /// The conjuncts that the access answers, so that rows need not be tested for them.
  let answered: CandidateBounds.ConjunctSet
  /// How many leading columns of the index have one value.
  var fixedColumns = 0
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
    for (ordinal, conjunct) in conjuncts.enumerated() {
      guard case .or(let terms) = conjunct else { continue }
      if let union = Candidate(union: terms.list, ordinal, table) { candidates.append(union) }
    }
    candidates.append(Candidate(access: .rows(.all), answered: CandidateBounds.ConjunctSet()))
    return candidates
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
    let ranges = IndexRanges(of: conjuncts, index, table.schema)
    let open = index.columns[min(ranges.bounds.boundColumns, index.columns.count)...]
    // An empty collection has no entry, so an open column must have one entry in every row.
    guard open.allSatisfy({ table.schema.givesOneEntry($0) }) else { return nil }
    access = ranges.ranges.isEmpty ? .nothing : .index(index, ranges.ranges)
    answered = ranges.answered
    fixedColumns = min(ranges.bounds.fixedColumns, index.columns.count)
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

/// The bounds that conjuncts set for the columns of an index, whose codes follow one another.
struct CandidateBounds {
  /// The codes of the leading columns whose values are listed; ascending.
  private(set) var prefixes: [[UInt8]] = [[]]
  /// How many leading columns have their values listed.
  private(set) var columns = 0
  /// How many leading columns have one value.
  private(set) var fixedColumns = 0
  /// The range of the column after them.
  private(set) var range: (lower: [UInt8]?, upper: [UInt8]?)?
  private(set) var answered = CandidateBounds.ConjunctSet()

  /// Reads the bounds of columns from conjuncts.
  ///
  /// - Parameters:
  ///   - cut: The most bytes that an index keeps of a variable value; nil for all.
  ///   - key: The columns of the primary key, whose codes follow in whole.
  init(
    _ conjuncts: [ConditionTree], _ columns: [IndexColumn], _ schema: Schema, cut: Int?,
    key: [IndexColumn] = []
  ) {
    for (place, column) in (columns + key).enumerated() {
      let constraint = CandidateBounds.ColumnConstraint(
        conjuncts, column, schema.definition(of: column), cut: place < columns.count ? cut : nil)
      // Values of several columns multiply: past a bound the rest is tested on the rows.
      guard let codes = constraint.codes,
        place == 0 || prefixes.count * codes.count <= Threshold.rangesPerIndex.value
      else {
        guard constraint.hasRange else { return }
        answered.formUnion(constraint.answeredByRange)
        range = (constraint.lower, constraint.upper)
        return
      }
      if place > 0, codes.count > 1 { CoverageMark.hit(.rangesMultiplied) }
      prefixes = prefixes.flatMap { prefix in codes.map { prefix + $0 } }
      answered.formUnion(constraint.answeredByCodes)
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

extension CandidateBounds {
  /// The bounds that the conjuncts of a condition set for one column of an index, as key codes.
  struct ColumnConstraint {
    /// The codes that the column can have, where a conjunct lists its values; ascending.
    private(set) var codes: [[UInt8]]?
    /// The conjuncts that ``codes`` answers.
    private(set) var answeredByCodes = CandidateBounds.ConjunctSet()
    /// The first code that the column can have; nil for no bound.
    private(set) var lower: [UInt8]?
    /// The first code after all that the column can have; nil for no bound.
    private(set) var upper: [UInt8]?
    /// The conjuncts that the range answers.
    private(set) var answeredByRange = CandidateBounds.ConjunctSet()
    /// Whether a conjunct bounds the column.
    private(set) var hasRange = false

    private let column: ColumnDefinition
    private let isCaseFolded: Bool
    private let cut: Int?

    /// Reads the bounds of a column from conjuncts.
    ///
    /// - Parameter cut: The most bytes that the index keeps of a variable value; nil for all.
    init(_ conjuncts: [ConditionTree], _ column: IndexColumn, _ schema: ColumnDefinition, cut: Int?)
    {
      self.cut = cut
      isCaseFolded = column.isCaseFolded
      guard schema.storage.collection == nil else {
        self.column = ColumnDefinition(name: schema.name, storage: schema.storage.element)
        readElement(conjuncts, column)
        if column.isDescending { invert() }
        return
      }
      self.column = schema
      var isCompared = false
      let isPresent =
        !schema.storage.isOptional
        || conjuncts.contains {
          if case .not(.isNil(let path)) = $0 { column.isOver(path) } else { false }
        }
      for (ordinal, conjunct) in conjuncts.enumerated() {
        if case .not(.isNil(let path)) = conjunct, column.isOver(path) {
          // The codes of values follow that of nil.
          guard schema.storage.isOptional else { continue }
          limit(lower: [1])
          addRange(ordinal, isExact: true)
        } else if case .not(.compare(let path, .lessOrEqual, let value)) = conjunct,
          column.isOver(path), !isCaseFolded, !value.isNotANumber, isPresent
        {
          // Unlike what is greater, NaN is in the range, after all numbers.
          narrow(.greater, code(of: value), ordinal)
        } else if let path = conjunct.path, column.isOver(path) {
          let hadRange = hasRange
          hasRange = false
          read(conjunct, ordinal)
          isCompared = isCompared || hasRange
          hasRange = hasRange || hadRange
        }
      }
      if isCompared { excludeWhatIsInNoRange() }
      if column.isDescending { invert() }
    }

    /// An index over a collection has an entry for each element, and answers one condition on one
    /// element: another condition may hold for another element.
    private mutating func readElement(_ conjuncts: [ConditionTree], _ indexed: IndexColumn) {
      for (ordinal, conjunct) in conjuncts.enumerated() {
        guard case .any(let path, let condition) = conjunct, indexed.isOver(path),
          condition.path?.ownPlace == ColumnPath.element.place
        else { continue }
        read(condition, ordinal)
        if codes != nil { return }
        guard hasRange else { continue }
        return excludeWhatIsInNoRange()
      }
    }

    private mutating func read(_ conjunct: ConditionTree, _ ordinal: Int) {
      switch conjunct {
      case .compare(_, .equal, let value): restrict(to: [value], ordinal, isExact: !isCaseFolded)
      case .isNil: restrict(to: [.none], ordinal, isExact: true)
      case .within(_, let members):
        restrict(to: members.filter { !$0.isNotANumber }, ordinal, isExact: !isCaseFolded)
      case .compare(_, let comparison, let value) where !isCaseFolded:
        narrow(comparison, code(of: value), ordinal)
      case .text(_, let pattern): read(pattern, ordinal)
      default: break
      }
    }

    /// Restricts the column to values; the shortest list is kept, the others are tested on the rows.
    ///
    /// - Parameter isExact: Whether the index compares as the conjunct does. A truncated code matches
    ///   several values in any case.
    private mutating func restrict(to values: [StoredValue], _ ordinal: Int, isExact: Bool) {
      if let codes, codes.count <= values.count { return }
      let found = values.map { code(of: $0) }
      codes = KeyOrder.ascendingUnique(found.map(\.bytes))
      answeredByCodes =
        isExact && !found.contains(where: \.isCut)
        ? CandidateBounds.ConjunctSet(ordinal) : CandidateBounds.ConjunctSet()
    }

    private mutating func narrow(
      _ comparison: ConditionTree.Comparison, _ code: CandidateBounds.IndexCode, _ ordinal: Int
    ) {
      switch comparison {
      case .less: limit(upper: code.isCut ? KeyRange.end(ofPrefix: code.kept) : code.bytes)
      case .lessOrEqual: limit(upper: KeyRange.end(ofPrefix: code.kept))
      case .greaterOrEqual: limit(lower: code.kept)
      case .greater:
        guard let next = code.isCut ? code.kept : KeyRange.end(ofPrefix: code.bytes) else {
          // None is greater than the greatest code.
          (codes, answeredByCodes) = ([], CandidateBounds.ConjunctSet(ordinal))
          return
        }
        limit(lower: next)
      case .equal: return
      }
      addRange(ordinal, isExact: !code.isCut)
    }

    /// The texts with a common beginning are a range, where the index compares as the pattern does.
    private mutating func read(_ pattern: TextPattern, _ ordinal: Int) {
      guard pattern.options == (isCaseFolded ? [.caseInsensitive] : []) else { return }
      if pattern.kind == .equal {
        return restrict(to: [.string(pattern.text)], ordinal, isExact: true)
      }
      guard let (start, isAll) = pattern.literalStart, !start.isEmpty else { return }
      let whole = code(of: .string(start), cut: nil).bytes
      let kept = (cut ?? .max) - 1
      let nilByte = column.storage.isOptional ? 1 : 0
      // Without its end mark, the code is where all codes of longer texts begin.
      let prefix = Array(whole.dropLast(2).prefix(min(kept, whole.count) + nilByte))
      limit(lower: prefix)
      limit(upper: KeyRange.end(ofPrefix: prefix))
      addRange(ordinal, isExact: isAll && prefix.count == whole.count - 2)
    }

    private mutating func addRange(_ ordinal: Int, isExact: Bool) {
      hasRange = true
      if isExact { answeredByRange.insert(ordinal) }
    }

    private mutating func limit(lower bound: [UInt8]) {
      if let lower, !lower.lexicographicallyPrecedes(bound) { return }
      lower = bound
    }

    private mutating func limit(upper bound: [UInt8]?) {
      guard let bound else { return }
      if let upper, !bound.lexicographicallyPrecedes(upper) { return }
      upper = bound
    }

    /// Excludes nil, which sorts first, and NaN, which sorts last: comparisons with them are false.
    private mutating func excludeWhatIsInNoRange() {
      if column.storage.isOptional {
        limit(lower: [1])
        limit(upper: [2])
      }
      limit(upper: column.storage.lastNumber)
    }

    /// Inverts the codes, as a descending column stores them.
    private mutating func invert() {
      codes = codes.map { KeyOrder.ascendingUnique($0.map(KeyOrder.inverted)) }
      guard hasRange else { return }
      // Codes that begin with a bound follow it in both orders.
      let (first, last) = (lower, upper)
      if let last {
        guard let next = KeyRange.end(ofPrefix: KeyOrder.inverted(last)) else {
          codes = []
          return
        }
        lower = next
      } else {
        lower = nil
      }
      upper = first.flatMap { KeyRange.end(ofPrefix: KeyOrder.inverted($0)) }
    }

    private func code(of value: StoredValue, cut: Int?) -> CandidateBounds.IndexCode {
      if isCaseFolded, case .string(let text) = value {
        return column.storage.code(of: .string(TextKey.caseFolded(text)), cut: cut)
      }
      return column.storage.code(of: value, cut: cut)
    }

    private func code(of value: StoredValue) -> CandidateBounds.IndexCode {
      code(of: value, cut: cut)
    }
  }

  /// A set of conjuncts by their indices, of which the first 64 can be members.
  struct ConjunctSet: OptionSet, Sendable {
    let rawValue: UInt64
    /// All that can be members.
    static let all = ConjunctSet(rawValue: .max)

    init(rawValue: UInt64) { self.rawValue = rawValue }
    init(_ ordinal: Int) { rawValue = ordinal < 64 ? 1 << UInt64(ordinal) : 0 }

    mutating func insert(_ ordinal: Int) { formUnion(ConjunctSet(ordinal)) }
    func contains(_ ordinal: Int) -> Bool { !isDisjoint(with: ConjunctSet(ordinal)) }
  }

  struct IndexCode {
    var bytes: [UInt8]
    var isCut: Bool
    /// The code without the mark and hash that a truncated one ends in.
    var kept: [UInt8] { isCut ? bytes.dropLast(18) : bytes }
  }
}

extension StorageType {
  /// The key code of a value of this type, with its nil byte.
  func code(of value: StoredValue, cut: Int?) -> CandidateBounds.IndexCode {
    var code = _ByteBuffer()
    if isOptional {
      guard value != .none else { return CandidateBounds.IndexCode(bytes: [0], isCut: false) }
      code.append(1)
    }
    let isCut = value.appendKey(kind: kind, to: &code, cut: cut)
    return CandidateBounds.IndexCode(bytes: code.copied, isCut: isCut)
  }

  /// The first key code after all numbers, where NaN follows them.
  fileprivate var lastNumber: [UInt8]? {
    switch kind {
    case .float, .double: KeyRange.end(ofPrefix: code(of: .double(.infinity), cut: nil).bytes)
    case .date: KeyRange.end(ofPrefix: code(of: .date(.infinity), cut: nil).bytes)
    default: nil
    }
  }
}

extension KeyRange {
  /// The keys that begin with `prefix` and continue between two bounds; nil leaves a side open.
  init(prefix: [UInt8], from: [UInt8]?, to: [UInt8]?) {
    let lower = prefix + (from ?? [])
    let upper = to.map { prefix + $0 } ?? KeyRange.end(ofPrefix: prefix)
    self.init(
      lower: lower.isEmpty ? .unbounded : .inclusive(lower),
      upper: upper.map { .exclusive($0) } ?? .unbounded)
  }
}
