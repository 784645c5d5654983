import LMDB

/// A query's condition and codes, made ready for the rows of one catalog.
///
/// Confined to its evaluator.
final class RowMatcher {
  private let layout: RowLayout
  private let filter: Filter?
  private var codes: StoredRowBuilder
  private var batch: RowBatch

  init(
    _ query: QueryCore, _ table: Table, _ catalog: Catalog, _ codes: consuming StoredRowBuilder
  ) throws {
    layout = table.layout
    filter =
      query.condition.conjuncts.isEmpty
      ? nil : try Filter(query.condition, table.layout, catalog)
    self.codes = codes
    batch = RowBatch(table, RowArena())
  }

  /// Whether a row is in the layout that conditions and codes were made for.
  func reads(_ row: StoredRow?) -> Bool { row.map { $0.layout.isSame(as: layout) } ?? true }

  /// What the query makes of changes: for each key the row that it matches now, if it does.
  func matches(of changes: [RowDelta]) throws -> [RowMatch] {
    var matches = changes.map { RowMatch(key: $0.key) }
    var start = 0
    while start < changes.count {
      let end = min(start + RowBatch.capacity, changes.count)
      try test(changes, start..<end, &matches)
      start = end
    }
    return matches
  }

  private func test(
    _ changes: [RowDelta], _ range: Range<Int>, _ matches: inout [RowMatch]
  ) throws {
    batch.clear()
    var places: [Int] = []
    for place in range {
      guard let row = changes[place].new else { continue }
      batch.append(row.view)
      places.append(place)
    }
    try filter?.apply(to: &batch, in: MemoryTransaction())
    // Safety: the views of the batch lie in the changes' rows, which the caller keeps.
    let selection = batch.selection
    for (position, selected) in selection.enumerated() {
      matches[places[Int(selected)]].row = try codes.stored(
        batch[position], in: MemoryTransaction())
    }
  }
}

/// A row's key, and the row where it matches a query.
struct RowMatch {
  let key: [UInt8]
  var row: StoredRow?
}
