import LMDB

/// What a condition's conjuncts say of one column.
struct ColumnBounds {
  let column: Int
  /// The values that the column may have, where a conjunct lists them.
  private(set) var values: [StoredValue]?
  /// How many conjuncts ``values`` settles: one, since another needs a test of its own.
  let settledByValues = 1
  private var lower: (value: StoredValue, isInclusive: Bool)?
  private var upper: (value: StoredValue, isInclusive: Bool)?
  /// How many conjuncts the range settles.
  private(set) var settledByRange = 0

  init(_ conjuncts: [Expression], column: Int) {
    self.column = column
    for conjunct in conjuncts {
      switch conjunct {
      case .compare(let path, .equal, let value) where path.place == column:
        take([value])
      case .isNil(let path) where path.place == column: take([.none])
      case .within(let path, let members) where path.place == column:
        take(members.filter { !$0.isNotANumber })
      case .compare(let path, let comparison, let value) where path.place == column:
        narrow(comparison, value)
      default: break
      }
    }
  }

  /// The shortest list of values wins; the others are tested on the rows.
  private mutating func take(_ list: [StoredValue]) {
    if values.map({ list.count < $0.count }) ?? true { values = list }
  }

  /// One bound for each side: a second one on the same side is tested on the rows.
  private mutating func narrow(_ comparison: Comparison, _ value: StoredValue) {
    switch comparison {
    case .less, .lessOrEqual:
      guard upper == nil else { return }
      upper = (value, comparison == .lessOrEqual)
    case .greater, .greaterOrEqual:
      guard lower == nil else { return }
      lower = (value, comparison == .greaterOrEqual)
    case .equal: return
    }
    settledByRange += 1
  }

  /// The range of key codes; nil where no conjunct bounds the column.
  ///
  /// - Returns: The range, and whether it holds exactly the entries that match: a cut
  ///   code stands for several values, so that its range is widened.
  func range(of column: ColumnShape, cut: Int?) -> (range: KeyRange, isExact: Bool)? {
    guard settledByRange > 0 else { return nil }
    var isExact = true
    // Nil is in no range, and NaN, which sorts behind infinity, neither.
    var from: [UInt8]? = column.storage.isOptional ? [1] : nil
    var to: [UInt8]? = column.lastNumber ?? (column.storage.isOptional ? [2] : nil)
    if let lower {
      let code = column.code(of: lower.value, cut: cut)
      isExact = isExact && !code.isCut
      from = lower.isInclusive || code.isCut ? code.kept : KeyOrder.successor(of: code.bytes)
      if from == nil { return (.halfOpen([1], [0]), true) }
    }
    if let upper {
      let code = column.code(of: upper.value, cut: cut)
      isExact = isExact && !code.isCut
      to = upper.isInclusive || code.isCut ? KeyOrder.successor(of: code.kept) : code.bytes
    }
    return (KeyRange(from: from, to: to), isExact)
  }
}

/// A value's key code, as an index holds it.
struct IndexCode {
  var bytes: [UInt8]
  var isCut: Bool
  /// The code without the mark and hash of a cut one.
  var kept: [UInt8] { isCut ? bytes.dropLast(18) : bytes }
}

extension ColumnShape {
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

extension KeyRange {
  /// The keys from one bound on and before another; nil leaves a side open.
  fileprivate init(from: [UInt8]?, to: [UInt8]?) {
    self.init(
      lower: from.map { .inclusive($0) } ?? .unbounded,
      upper: to.map { .exclusive($0) } ?? .unbounded)
  }
}

extension Expression {
  /// Whether no row can match.
  var isNever: Bool {
    switch self {
    case .constant(false), .within(_, []): true
    case .compare(_, _, let value): value.isNotANumber
    default: false
    }
  }
}
