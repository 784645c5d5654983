extension ResultRows {
  /// This version, with what leads from one later version to another put into it.
  ///
  /// So an observer's version follows a write that the observer made itself while other commits
  /// have yet to be told: it has the write's rows, and the others' as they were. Rows that it does
  /// not know, because their insertion has yet to be told, stay unknown.
  ///
  /// - Complexity: O((*p* + *c*) log *n*) for *p* rows that differ by now and *c* of the change.
  func patched(from before: ResultRows, to after: ResultRows, _ core: QueryCore) -> ResultRows {
    let untold = RowDifferences(from: tree, to: before.tree)
    var own: [[UInt8]: StoredRow] = [:]
    for place in untold.removed { own[place.row.key] = place.row }
    for (old, _) in untold.replaced { own[old.row.key] = old.row }

    let change = RowDifferences(from: before.tree, to: after.tree)
    var patched = tree
    var unknown: Set<[UInt8]> = []
    for row in change.removed.map(\.row) + change.replaced.map(\.old.row) {
      let key = row.key
      if patched.remove(own[key] ?? row) == nil { unknown.insert(key) }
    }
    for row in change.added.map(\.row) + change.replaced.map(\.new.row) {
      let key = row.key
      if unknown.contains(key) { continue }
      if let row = own[key] { patched.remove(row) }
      patched.insert(row)
    }
    return ResultRows(patched, offset: core.offset, limit: core.limit)
  }
}
