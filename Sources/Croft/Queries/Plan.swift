import LMDB

/// How a query reaches its rows.
///
/// The choice never changes a result: rows come by primary key, and `residual` is
/// whatever of the condition the access does not settle by itself.
struct Plan {
  enum Access {
    /// No row can match.
    case nothing
    /// Rows by primary key, within a range.
    case rows(KeyRange)
    /// Single rows by their keys' codes, ascending.
    case keys([[UInt8]])
    /// Index entries within disjoint ranges, ascending. Entries of one value stand by
    /// primary key.
    case index(IndexStorage, [KeyRange], isOneValue: Bool)
  }

  let access: Access
  /// What must still be tested on each row; nil where the access settles all.
  let residual: Filter?

  /// Chooses the most selective access that the condition's conjuncts allow.
  ///
  /// In this order: the primary key is one of some values; an indexed column is; the
  /// primary key lies in a range; an indexed column does; all rows.
  init(_ condition: Expression, _ storage: ModelStorage) {
    let conjuncts = condition.conjuncts
    if conjuncts.contains(where: \.isNever) {
      self.init(access: .nothing, residual: nil)
      return
    }
    var best: Candidate?
    for column in storage.shape.columns.indices {
      let index = storage.index(on: column)
      guard column == storage.shape.keyIndex || index != nil else { continue }
      let bounds = ColumnBounds(conjuncts, column: column)
      guard let candidate = Candidate(bounds, index, storage) else { continue }
      if best.map({ candidate.rank < $0.rank }) ?? true { best = candidate }
    }
    let isSettled = best.map { $0.settled == conjuncts.count } ?? conjuncts.isEmpty
    self.init(
      access: best?.access ?? .rows(.all),
      residual: isSettled ? nil : Filter(condition, storage.layout))
  }

  private init(access: Access, residual: Filter?) {
    self.access = access
    self.residual = residual
  }

  /// Whether the plan reads an index, so that its buffered changes must be in the tree.
  var index: IndexStorage? {
    if case .index(let index, _, _) = access { index } else { nil }
  }
}

/// One way to reach the rows, and how good it is.
private struct Candidate {
  let access: Plan.Access
  /// Smaller is more selective.
  let rank: Int
  /// How many conjuncts the access settles exactly.
  let settled: Int

  init?(_ bounds: ColumnBounds, _ index: IndexStorage?, _ storage: ModelStorage) {
    let column = storage.shape.columns[bounds.column]
    if bounds.column == storage.shape.keyIndex {
      if let values = bounds.values {
        // A compound key's first column alone names no row.
        guard !storage.shape.isKeyCompound else { return nil }
        let codes = values.map { column.code(of: $0, cut: nil).bytes }
        access = .keys(KeyOrder.ascendingUnique(codes))
        rank = 0
        settled = bounds.settledByValues
      } else {
        guard let (range, _) = bounds.range(of: column, cut: nil) else { return nil }
        access = .rows(range)
        rank = 2
        settled = bounds.settledByRange
      }
      return
    }
    guard let index else { return nil }
    if let values = bounds.values {
      let codes = values.map { column.code(of: $0, cut: index.cut) }
      let unique = KeyOrder.ascendingUnique(codes.map(\.bytes))
      access = .index(index, unique.map { .prefix($0) }, isOneValue: unique.count == 1)
      rank = 1
      settled = codes.contains(where: \.isCut) ? 0 : bounds.settledByValues
    } else {
      guard let (range, isExact) = bounds.range(of: column, cut: index.cut) else { return nil }
      access = .index(index, [range], isOneValue: false)
      rank = 3
      settled = isExact ? bounds.settledByRange : 0
    }
  }
}

/// Orders of key codes.
enum KeyOrder {
  static func ascendingUnique(_ codes: [[UInt8]]) -> [[UInt8]] {
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
}
