/// Tests rows in memory by a query's compiled condition, which reads their own columns alone.
///
/// Confined to the hub's queue.
final class RowMatcher {
  private let table: Table
  private let filter: Filter?
  private var batch: RowBatch

  /// Compiles a condition.
  ///
  /// - Throws: ``StoreError/conditionTooDeep(model:)``.
  init(_ condition: ConditionTree, _ table: Table, _ catalog: Catalog) throws {
    self.table = table
    filter =
      condition.conjuncts.isEmpty ? nil : try Filter(condition, table.layout, catalog)
    batch = RowBatch(table, RecordArena())
  }

  /// Whether the condition was compiled for a table's layout.
  func isOf(_ table: Table) -> Bool { table.layout.isSame(as: self.table.layout) }

  /// Whether the condition was compiled for a row's layout.
  func reads(_ row: StoredRow?) -> Bool {
    row.map { $0.layout.isSame(as: table.layout) } ?? true
  }

  /// Which of some rows there are, and match.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row with wrong column ends.
  func selects(_ rows: [StoredRow?]) throws -> [Bool] {
    var selected = rows.map { _ in false }
    try forEachMatch(in: rows) { place, _ in selected[place] = true }
    return selected
  }

  /// Calls the body with each row that matches, and its place.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row with wrong column ends.
  func forEachMatch(
    in rows: [StoredRow?], _ body: (Int, RecordView) throws -> Void
  ) throws {
    var start = 0
    while start < rows.count {
      let end = min(start + RowBatch.capacity, rows.count)
      batch.clear()
      var places: [Int] = []
      for place in start..<end {
        guard let row = rows[place] else { continue }
        batch.append(row.view)
        places.append(place)
      }
      try filter?.apply(to: &batch, in: MemoryTransaction())
      // The views of the batch are in the rows, which the caller keeps.
      for (position, selected) in batch.selection.enumerated() {
        try body(places[Int(selected)], batch[position])
      }
      start = end
    }
  }
}
