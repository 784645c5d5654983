import LMDB

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
  /// The ranges of an index in which the entries of all matching rows are.
  ///
  /// They are those of the conjuncts, or of each term of an `or` beside the other conjuncts where all of its
  /// terms narrow them. So the rows after one row of an ordered list are a range of an index over the order:
  /// `a > x || (a == x && b > y)`.
  struct IndexRanges {
    /// What the conjuncts other than an `or` bound.
    let bounds: CandidateBounds
    /// Disjoint and ascending.
    private(set) var ranges: [KeyRange]
    /// The conjuncts that hold for all entries in the ranges.
    private(set) var answered: CandidateBounds.ConjunctSet
    /// Whether they are those of the terms of an `or`.
    private(set) var isNarrowed = false

    init(of conjuncts: [ConditionTree], _ index: EntryIndex, _ schema: Schema) {
      var tries = Threshold.rangesPerIndex.value
      self.init(of: conjuncts, index, schema, &tries)
    }

    /// - Parameter tries: How many more lists of conjuncts are looked at.
    private init(
      of conjuncts: [ConditionTree], _ index: EntryIndex, _ schema: Schema, _ tries: inout Int
    ) {
      tries -= 1
      // An entry of a unique index has no primary key, but where a code is truncated.
      let key = index.isUnique ? [] : schema.keyPlaces.map { IndexColumn(place: $0) }
      bounds = CandidateBounds(conjuncts, index.columns, schema, cut: index.cut, key: key)
      (ranges, answered) = (bounds.prefixes.isEmpty ? [] : bounds.ranges, bounds.answered)
      // A row has several entries in an index of elements, of which different terms may find one each.
      guard index.multiple == nil else { return }
      for (ordinal, conjunct) in conjuncts.enumerated() {
        guard case .or(let terms) = conjunct, terms.count <= tries else { continue }
        if narrow(by: terms, ordinal, conjuncts, index, schema, &tries) { return }
      }
    }

    /// Replaces the ranges by those of the terms of an `or`; false where one of the terms has no narrower ones.
    private mutating func narrow(
      by terms: ConditionTree.Terms, _ ordinal: Int, _ conjuncts: [ConditionTree],
      _ index: EntryIndex, _ schema: Schema, _ tries: inout Int
    ) -> Bool {
      var found: [KeyRange] = []
      var held = CandidateBounds.ConjunctSet.all
      for term in terms where !term.conjuncts.contains(where: \.isNever) {
        var own = conjuncts
        own[ordinal] = .constant(true)
        own += term.conjuncts
        if tries <= 0 { return false }
        let part = IndexRanges(of: own, index, schema, &tries)
        guard part.ranges != ranges else { return false }
        found += part.ranges
        var answered = part.answered
        if (conjuncts.count..<own.count).allSatisfy(answered.contains) { answered.insert(ordinal) }
        held = held.intersection(answered)
      }
      if found.count > Threshold.rangesPerIndex.value { return false }
      ranges = found.merged()
      (answered, isNarrowed) = (held, true)
      return true
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

extension [KeyRange] {
  /// The same keys as disjoint ranges, ascending; each has an inclusive lower bound and an exclusive upper one.
  fileprivate func merged() -> [KeyRange] {
    let sorted = self.sorted { $0.start.lexicographicallyPrecedes($1.start) }
    var merged: [KeyRange] = []
    for range in sorted {
      guard let last = merged.last, last.reaches(range.start) else {
        merged.append(range)
        continue
      }
      if !last.contains(endOf: range) {
        merged[merged.count - 1] = KeyRange(lower: last.lower, upper: range.upper)
      }
    }
    return merged
  }
}

// The ranges of an index have an inclusive lower bound and an exclusive upper one.
extension KeyRange {
  fileprivate var start: [UInt8] { if case .inclusive(let start) = lower { start } else { [] } }
  /// Nil where there is none.
  private var end: [UInt8]? { if case .exclusive(let end) = upper { end } else { nil } }

  /// The keys of both ranges; nil for none.
  func intersection(_ other: KeyRange) -> KeyRange? {
    let start = start.lexicographicallyPrecedes(other.start) ? other.start : start
    let end = [end, other.end].compactMap { $0 }.min { $0.lexicographicallyPrecedes($1) }
    if let end, !start.lexicographicallyPrecedes(end) { return nil }
    return KeyRange(
      lower: start.isEmpty ? .unbounded : .inclusive(start),
      upper: end.map { .exclusive($0) } ?? .unbounded)
  }

  /// Whether no key is between the range and a later start.
  fileprivate func reaches(_ start: [UInt8]) -> Bool {
    end.map { !$0.lexicographicallyPrecedes(start) } ?? true
  }

  fileprivate func contains(endOf other: KeyRange) -> Bool {
    guard let end else { return true }
    return other.end.map { !end.lexicographicallyPrecedes($0) } ?? false
  }
}
