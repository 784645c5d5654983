import LMDB

/// The bounds that conjuncts set for the columns of an index, whose codes follow one another.
struct KeyBounds {
  /// The codes of the leading columns whose values are listed; ascending.
  private(set) var prefixes: [[UInt8]] = [[]]
  /// How many leading columns have their values listed.
  private(set) var columns = 0
  /// How many leading columns have one value.
  private(set) var fixedColumns = 0
  /// The range of the column behind them.
  private(set) var range: (lower: [UInt8]?, upper: [UInt8]?)?
  private(set) var answered = KeyBounds.ConjunctSet()

  init(_ conjuncts: [ConditionTree], _ columns: [IndexColumn], _ schema: Schema, cut: Int?) {
    for (place, column) in columns.enumerated() {
      let constraint = KeyBounds.ColumnConstraint(
        conjuncts, column, schema.columns[column.place], cut: cut)
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

extension KeyBounds {
  /// The bounds that the conjuncts of a condition set for one column of an index, as key codes.
  struct ColumnConstraint {
    /// The codes that the column can have, where a conjunct lists its values; ascending.
    private(set) var codes: [[UInt8]]?
    /// The conjuncts that ``codes`` answers.
    private(set) var answeredByCodes = KeyBounds.ConjunctSet()
    /// The first code that the column can have; nil for no bound.
    private(set) var lower: [UInt8]?
    /// The first code behind all that the column can have; nil for no bound.
    private(set) var upper: [UInt8]?
    /// The conjuncts that the range answers.
    private(set) var answeredByRange = KeyBounds.ConjunctSet()
    /// Whether a conjunct bounds the column.
    private(set) var hasRange = false

    private let column: ColumnDefinition
    private let isCaseFolded: Bool
    private let cut: Int?

    /// Reads the bounds of a column from conjuncts.
    ///
    /// - Parameters:
    ///   - conjuncts: The conditions that must all hold.
    ///   - column: The column of the index.
    ///   - schema: The column's definition.
    ///   - cut: The most bytes that the index keeps of a variable value; nil for all.
    init(_ conjuncts: [ConditionTree], _ column: IndexColumn, _ schema: ColumnDefinition, cut: Int?)
    {
      self.cut = cut
      isCaseFolded = column.isCaseFolded
      guard schema.storage.collection == nil else {
        self.column = ColumnDefinition(name: schema.name, storage: schema.storage.element)
        readElement(conjuncts, column.place)
        if column.isDescending { invert() }
        return
      }
      self.column = schema
      var isCompared = false
      for (ordinal, conjunct) in conjuncts.enumerated() {
        if case .not(.isNil(let path)) = conjunct, path.isColumn(column.place) {
          readPresence(ordinal)
        } else if conjunct.path?.isColumn(column.place) ?? false {
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
    private mutating func readElement(_ conjuncts: [ConditionTree], _ place: Int) {
      for (ordinal, conjunct) in conjuncts.enumerated() {
        guard case .any(let path, let condition) = conjunct, path.isColumn(place),
          condition.path?.isColumn(ColumnPath.element.place) ?? false
        else { continue }
        read(condition, ordinal)
        if codes != nil { return }
        guard hasRange else { continue }
        return excludeWhatIsInNoRange()
      }
    }

    /// The codes of values follow that of nil.
    private mutating func readPresence(_ ordinal: Int) {
      guard column.storage.isOptional else { return }
      limit(lower: [1])
      addRange(ordinal, isExact: true)
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
    /// - Parameter isExact: Whether the index compares as the conjunct does. A cut code matches
    ///   several values in any case.
    private mutating func restrict(to values: [StoredValue], _ ordinal: Int, isExact: Bool) {
      if let codes, codes.count <= values.count { return }
      let found = values.map { code(of: $0) }
      codes = KeyOrder.ascendingUnique(found.map(\.bytes))
      answeredByCodes =
        isExact && !found.contains(where: \.isCut)
        ? KeyBounds.ConjunctSet(ordinal) : KeyBounds.ConjunctSet()
    }

    private mutating func narrow(
      _ comparison: ConditionTree.Comparison, _ code: KeyBounds.IndexCode, _ ordinal: Int
    ) {
      switch comparison {
      case .less: limit(upper: code.isCut ? KeyOrder.successor(of: code.kept) : code.bytes)
      case .lessOrEqual: limit(upper: KeyOrder.successor(of: code.kept))
      case .greaterOrEqual: limit(lower: code.kept)
      case .greater:
        guard let next = code.isCut ? code.kept : KeyOrder.successor(of: code.bytes) else {
          return excludeAll(ordinal)
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
      limit(upper: KeyOrder.successor(of: prefix))
      addRange(ordinal, isExact: isAll && prefix.count == whole.count - 2)
    }

    /// Excludes all values: none is greater than the greatest code.
    private mutating func excludeAll(_ ordinal: Int) {
      codes = []
      answeredByCodes = KeyBounds.ConjunctSet(ordinal)
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

    /// Excludes nil and NaN, whose codes come before and behind all others: no order holds with them.
    private mutating func excludeWhatIsInNoRange() {
      if column.storage.isOptional {
        limit(lower: [1])
        limit(upper: [2])
      }
      limit(upper: column.lastNumber)
    }

    /// Inverts the codes, as a descending column stores them.
    private mutating func invert() {
      codes = codes.map { KeyOrder.ascendingUnique($0.map(KeyOrder.inverted)) }
      guard hasRange else { return }
      // Codes that begin with a bound follow it in both orders.
      let (first, last) = (lower, upper)
      if let last {
        guard let next = KeyOrder.successor(of: KeyOrder.inverted(last)) else {
          codes = []
          return
        }
        lower = next
      } else {
        lower = nil
      }
      upper = first.flatMap { KeyOrder.successor(of: KeyOrder.inverted($0)) }
    }

    private func code(of value: StoredValue, cut: Int?) -> KeyBounds.IndexCode {
      if isCaseFolded, case .string(let text) = value {
        return column.code(of: .string(TextKey.caseFolded(text)), cut: cut)
      }
      return column.code(of: value, cut: cut)
    }

    private func code(of value: StoredValue) -> KeyBounds.IndexCode { code(of: value, cut: cut) }
  }
}

extension KeyBounds {
  /// A set of conjuncts by their indices, of which the first 64 can be members.
  struct ConjunctSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    init() {}
    init(_ ordinal: Int) { insert(ordinal) }

    mutating func insert(_ ordinal: Int) { if ordinal < 64 { bits |= 1 << UInt64(ordinal) } }
    mutating func formUnion(_ other: KeyBounds.ConjunctSet) { bits |= other.bits }
    func contains(_ ordinal: Int) -> Bool { ordinal < 64 && bits >> UInt64(ordinal) & 1 == 1 }
  }
}

extension KeyBounds {
  /// A value's key code as it is in an index entry.
  struct IndexCode {
    var bytes: [UInt8]
    var isCut: Bool
    /// The code without the mark and hash that a cut one ends in.
    var kept: [UInt8] { isCut ? bytes.dropLast(18) : bytes }
  }
}

extension ColumnDefinition {
  /// The key code of a value of this column, with its nil byte.
  func code(of value: StoredValue, cut: Int?) -> KeyBounds.IndexCode {
    var code = _ByteBuffer()
    if storage.isOptional {
      guard value != .none else { return KeyBounds.IndexCode(bytes: [0], isCut: false) }
      code.append(1)
    }
    let isCut = value.appendKey(kind: storage.kind, to: &code, cut: cut)
    // Safety: the code is copied while the buffer lives.
    return unsafe KeyBounds.IndexCode(bytes: [UInt8](code.bytes), isCut: isCut)
  }

  /// The first key code behind all numbers, where NaN follows them.
  fileprivate var lastNumber: [UInt8]? {
    switch storage.kind {
    case .float, .double: KeyOrder.successor(of: code(of: .double(.infinity), cut: nil).bytes)
    case .date: KeyOrder.successor(of: code(of: .date(.infinity), cut: nil).bytes)
    default: nil
    }
  }
}

/// Orders of key codes.
enum KeyOrder {
  static func ascendingUnique(_ codes: [[UInt8]]) -> [[UInt8]] {
    if codes.count < 2 { return codes }
    var result: [[UInt8]] = []
    for code in codes.sorted(by: { $0.lexicographicallyPrecedes($1) }) where code != result.last {
      result.append(code)
    }
    return result
  }

  /// The smallest key greater than all keys that start with `prefix`; nil if none is.
  static func successor(of prefix: [UInt8]) -> [UInt8]? {
    guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
    var next = Array(prefix[...last])
    next[last] += 1
    return next
  }

  /// The inverted code: inverted codes compare in the reverse order.
  static func inverted(_ code: [UInt8]) -> [UInt8] { code.map { ~$0 } }
}

extension KeyRange {
  /// The keys that begin with `prefix` and go on between two bounds; nil leaves a side open.
  init(prefix: [UInt8], from: [UInt8]?, to: [UInt8]?) {
    let lower = prefix + (from ?? [])
    let upper = to.map { prefix + $0 } ?? KeyOrder.successor(of: prefix)
    self.init(
      lower: lower.isEmpty ? .unbounded : .inclusive(lower),
      upper: upper.map { .exclusive($0) } ?? .unbounded)
  }
}
