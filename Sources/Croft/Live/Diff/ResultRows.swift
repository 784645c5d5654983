/// One version of a query's result: rows in its order, and the window that offset and limit show.
///
/// A value that shares most nodes with the versions before and after it.
struct ResultRows: Sendable {
  /// The rows before offset and limit, as far as they are kept.
  let tree: RowTree
  /// The ranks of the rows that offset and limit show.
  let window: Range<Int>

  /// The empty result.
  static let empty = ResultRows(RowTree(.query), offset: 0, limit: nil)

  /// Makes a version with the window of an offset and a limit.
  init(_ tree: RowTree, offset: Int, limit: Int?) {
    self.tree = tree
    let start = min(offset, tree.count)
    let length = min(limit ?? .max, tree.count - start)
    window = start..<start + length
  }

  /// How many rows are shown.
  var count: Int { window.count }

  /// The row of an index in the window.
  ///
  /// - Complexity: O(log *n*).
  subscript(position: Int) -> StoredRow {
    precondition(position >= 0 && position < count, "The index is not in the result.")
    return tree[window.lowerBound + position]
  }
}

extension ResultRows {
  /// Applies the difference of two later versions to this one: a three-way merge.
  ///
  /// An observer that skips a write may have been delivered an earlier version than the one before
  /// the write. The merge has the rows of the write, and all other rows as they were delivered.
  /// Rows whose insertion was not delivered stay missing.
  ///
  /// - Complexity: O((*p* + *c*) log *n*) for *p* undelivered rows and *c* of the difference.
  func merged(from before: ResultRows, to after: ResultRows, _ core: QueryCore) -> ResultRows {
    let undelivered = RowDifferences(from: tree, to: before.tree)
    var own: [[UInt8]: StoredRow] = [:]
    for place in undelivered.removed { own[place.row.key] = place.row }
    for (old, _) in undelivered.replaced { own[old.row.key] = old.row }

    let difference = RowDifferences(from: before.tree, to: after.tree)
    var merged = tree
    var missing: Set<[UInt8]> = []
    for row in difference.removed.map(\.row) + difference.replaced.map(\.old.row) {
      let key = row.key
      if merged.remove(own[key] ?? row) == nil { missing.insert(key) }
    }
    for row in difference.added.map(\.row) + difference.replaced.map(\.new.row) {
      let key = row.key
      if missing.contains(key) { continue }
      if let row = own[key] { merged.remove(row) }
      merged.insert(row)
    }
    return ResultRows(merged, offset: core.offset, limit: core.limit)
  }
}
