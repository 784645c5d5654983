import LMDB

/// What the conjuncts of a condition say of one column of an index, as key codes.
struct ColumnConstraint {
  /// The codes that the column can have, where a conjunct lists its values; ascending.
  private(set) var codes: [[UInt8]]?
  /// The conjuncts that ``codes`` answers by itself.
  private(set) var settledByCodes = ConjunctSet()
  /// The first code that the column can have, where a conjunct says so.
  private(set) var lower: [UInt8]?
  /// The first code behind all that the column can have, where a conjunct says so.
  private(set) var upper: [UInt8]?
  /// The conjuncts that the range answers by itself.
  private(set) var settledByRange = ConjunctSet()
  /// Whether a conjunct bounds the column.
  private(set) var hasRange = false

  private let column: ColumnDefinition
  private let isCaseFolded: Bool
  private let cut: Int?

  /// Reads what conjuncts say of a column.
  ///
  /// - Parameters:
  ///   - conjuncts: What must hold, all of it.
  ///   - column: The column, as the index has it.
  ///   - schema: The column's schema.
  ///   - cut: The most bytes that the index keeps of a variable value; nil for all.
  init(_ conjuncts: [Expression], _ column: IndexColumn, _ schema: ColumnDefinition, cut: Int?) {
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

  /// Of a collection the index has the elements, and one condition on one of them is answered:
  /// another may hold for another element.
  private mutating func readElement(_ conjuncts: [Expression], _ place: Int) {
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

  /// Whatever is not nil stands behind it.
  private mutating func readPresence(_ ordinal: Int) {
    guard column.storage.isOptional else { return }
    limit(lower: [1])
    settle(ordinal, isExact: true)
  }

  private mutating func read(_ conjunct: Expression, _ ordinal: Int) {
    switch conjunct {
    case .compare(_, .equal, let value): take([value], ordinal, isExact: !isCaseFolded)
    case .isNil: take([.none], ordinal, isExact: true)
    case .within(_, let members):
      take(members.filter { !$0.isNotANumber }, ordinal, isExact: !isCaseFolded)
    case .compare(_, let comparison, let value) where !isCaseFolded:
      narrow(comparison, code(of: value), ordinal)
    case .text(_, let pattern): read(pattern, ordinal)
    default: break
    }
  }

  /// The shortest list of values wins; the others are tested on the rows.
  ///
  /// - Parameter isExact: Whether the index compares as the conjunct does. A cut code stands for
  ///   several values in any case.
  private mutating func take(_ values: [StoredValue], _ ordinal: Int, isExact: Bool) {
    if let codes, codes.count <= values.count { return }
    let found = values.map { code(of: $0) }
    codes = KeyOrder.ascendingUnique(found.map(\.bytes))
    settledByCodes =
      isExact && !found.contains(where: \.isCut) ? ConjunctSet(ordinal) : ConjunctSet()
  }

  private mutating func narrow(_ comparison: Comparison, _ code: IndexCode, _ ordinal: Int) {
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
    settle(ordinal, isExact: !code.isCut)
  }

  /// A text's beginning is a range of codes, where the index compares as the pattern does.
  private mutating func read(_ pattern: TextPattern, _ ordinal: Int) {
    guard pattern.options == (isCaseFolded ? [.caseInsensitive] : []) else { return }
    if pattern.kind == .equal {
      return take([.string(pattern.text)], ordinal, isExact: true)
    }
    guard let (start, isAll) = pattern.literalStart, !start.isEmpty else { return }
    let whole = code(of: .string(start), cut: nil).bytes
    let kept = (cut ?? .max) - 1
    let nilByte = column.storage.isOptional ? 1 : 0
    // Without its end mark, the code is where all codes of longer texts begin.
    let prefix = Array(whole.dropLast(2).prefix(min(kept, whole.count) + nilByte))
    limit(lower: prefix)
    limit(upper: KeyOrder.successor(of: prefix))
    settle(ordinal, isExact: isAll && prefix.count == whole.count - 2)
  }

  /// Nothing is greater than the greatest code.
  private mutating func excludeAll(_ ordinal: Int) {
    codes = []
    settledByCodes = ConjunctSet(ordinal)
  }

  private mutating func settle(_ ordinal: Int, isExact: Bool) {
    hasRange = true
    if isExact { settledByRange.insert(ordinal) }
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

  /// Nil is in no range, and NaN, which sorts behind infinity, neither.
  private mutating func excludeWhatIsInNoRange() {
    if column.storage.isOptional {
      limit(lower: [1])
      limit(upper: [2])
    }
    limit(upper: column.lastNumber)
  }

  /// Turns the order of the codes round, as a descending column has them.
  private mutating func invert() {
    codes = codes.map { KeyOrder.ascendingUnique($0.map(KeyOrder.inverted)) }
    guard hasRange else { return }
    // What begins with a bound stands behind it in both orders.
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

  private func code(of value: StoredValue, cut: Int?) -> IndexCode {
    if isCaseFolded, case .string(let text) = value {
      return column.code(of: .string(CaseFolding.folded(text)), cut: cut)
    }
    return column.code(of: value, cut: cut)
  }

  private func code(of value: StoredValue) -> IndexCode { code(of: value, cut: cut) }
}

/// A set of conjuncts, by their places; the first 64 can be in it.
struct ConjunctSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  init() {}
  init(_ ordinal: Int) { insert(ordinal) }

  mutating func insert(_ ordinal: Int) { if ordinal < 64 { bits |= 1 << UInt64(ordinal) } }
  mutating func formUnion(_ other: ConjunctSet) { bits |= other.bits }
  func contains(_ ordinal: Int) -> Bool { ordinal < 64 && bits >> UInt64(ordinal) & 1 == 1 }
}

/// A value's key code, as an index holds it.
struct IndexCode {
  var bytes: [UInt8]
  var isCut: Bool
  /// The code without the mark and hash of a cut one.
  var kept: [UInt8] { isCut ? bytes.dropLast(18) : bytes }
}

extension ColumnDefinition {
  /// The key code of a value of this column, with its nil byte.
  func code(of value: StoredValue, cut: Int?) -> IndexCode {
    var code = _ByteBuffer()
    if storage.isOptional {
      guard value != .none else { return IndexCode(bytes: [0], isCut: false) }
      code.append(1)
    }
    let isCut = value.appendKey(kind: storage.kind, to: &code, cut: cut)
    // Safety: the code is copied while the buffer lives.
    return unsafe IndexCode(bytes: [UInt8](code.bytes), isCut: isCut)
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

  /// The code whose order among inverted ones is the other way round.
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
