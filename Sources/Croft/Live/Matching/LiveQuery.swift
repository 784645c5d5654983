import LMDB

/// The result of a live query, kept up to date for all who observe the query.
///
/// A query whose condition and order read the row's own columns alone is incremental: ``apply``
/// tests the changed rows on their bytes and moves them in the result's trees, O(log *n*) each. A
/// query that reads other rows (references, inverse links) is run again after every change of a
/// model that it depends on.
///
/// The result is kept by key as well, so the old row of a change is found here. A delta without old
/// rows, such as another process's, is as good as one with them.
///
/// Confined to the hub's queue; ``results`` is a value that may go anywhere.
final class LiveQuery: LiveComputation {
  let core: QueryCore
  let schema: Schema
  /// Whether deltas can be applied; else the query is run again after each.
  let isIncremental: Bool
  private(set) var sequence: UInt64 = 0
  private(set) var region = ReadRegion()
  /// How many rows were tested by the condition, for tests.
  private(set) var predicatesEvaluated = 0
  /// How many times the query was run, for tests.
  private(set) var runs = 0

  private var matcher: RowMatcher?
  private var builder: StoredRowBuilder?
  private var materialized: MaterializedResult

  init(_ core: QueryCore, _ schema: Schema) {
    self.core = core
    self.schema = schema
    isIncremental = core.readsOwnColumnsOnly
    materialized = MaterializedResult(core)
  }

  /// The result after the last delta or run.
  var results: ResultRows { materialized.results }

  /// Runs the query: at first, where ``apply(_:)`` asks for it, and after unknown changes.
  ///
  /// Rows that are the same as before stay shared with the result before.
  ///
  /// - Throws: ``StoreError`` as a fetch does, except for rows that cannot be decoded.
  /// - Complexity: The same as a fetch, without making objects.
  func run(in transaction: inout ReadTransaction, at sequence: UInt64) throws {
    try StoreError.mapping {
      let catalog = transaction.catalog
      let table = try catalog.table(of: schema)
      let builder = try StoredRowBuilder(core, table, catalog)
      let run = try QueryRun(
        Plan(materialized.lookahead.query(core), table, catalog, in: transaction.base))
      var rows: [StoredRow] = []
      try run.forEach(in: transaction.base) { row in
        rows.append(try builder.stored(row, in: transaction.base))
        return true
      }
      materialized.replace(by: rows)
      region = ReadRegion()
      try region.add(core, reading: .all, of: table, catalog, isTested: false)
      matcher = try RowMatcher(core.condition, table, catalog)
      self.builder = builder
      runs += 1
    }
    self.sequence = sequence
  }

  /// Applies what a commit did to rows of the query's model.
  ///
  /// - Parameter deltas: The key and the new row of each count; each key once, ascending.
  /// - Returns: Whether the result changed, or the query must be run again.
  /// - Complexity: O(*c* log *n*) for *c* deltas among *n* rows.
  func apply(_ deltas: [RowDelta]) throws -> LiveOutcome {
    if deltas.isEmpty { return .unchanged }
    guard isIncremental, let matcher, let builder, deltas.allSatisfy({ matcher.reads($0.new) })
    else {
      return .needsRun
    }
    predicatesEvaluated += deltas.count
    var matches = deltas.map { LiveQuery.RowMatch(key: $0.key) }
    try matcher.forEachMatch(in: deltas.map(\.new)) { place, row in
      matches[place].row = try builder.stored(row, in: MemoryTransaction())
    }
    return materialized.apply(matches)
  }

  func newValue() -> (any Sendable)? { results }

  /// A row's key, and the row where it matches a query.
  struct RowMatch {
    let key: [UInt8]
    var row: StoredRow?
  }

  /// Tests rows in memory by a query's compiled condition, which reads their own columns alone.
  ///
  /// Confined to the hub's queue.
  final class RowMatcher {
    private let table: Table
    private let filter: Filter?
    private var batch: Filter.Batch

    /// Compiles a condition.
    ///
    /// - Throws: ``StoreError/conditionTooDeep(model:)``; ``StoreError/expressionTooDeep(model:)``.
    init(_ condition: ConditionTree, _ table: Table, _ catalog: Catalog) throws {
      self.table = table
      filter =
        condition.conjuncts.isEmpty ? nil : try Filter(condition, table.layout, catalog)
      batch = Filter.Batch(table, RecordArena())
    }

    /// Whether the condition was compiled for a table's layout.
    func isOf(_ table: Table) -> Bool { table.layout.isSame(as: self.table.layout) }

    /// Whether the condition was compiled for a row's layout.
    func reads(_ row: StoredRow?) -> Bool {
      row.map { $0.layout.isSame(as: table.layout) } ?? true
    }

    /// Which of some rows matched before and match now; nil where that is not known of one.
    func selects(_ deltas: [RowDelta]) throws -> (before: [Bool], after: [Bool])? {
      guard deltas.allSatisfy({ $0.isOldKnown && reads($0.old) && reads($0.new) }) else {
        return nil
      }
      return (try selects(deltas.map(\.old)), try selects(deltas.map(\.new)))
    }

    /// Which of some rows there are, and match.
    func selects(_ rows: [StoredRow?]) throws -> [Bool] {
      var selected = rows.map { _ in false }
      try forEachMatch(in: rows) { place, _ in selected[place] = true }
      return selected
    }

    /// Calls the body with each row that matches, and its place.
    func forEachMatch(
      in rows: [StoredRow?], _ body: (Int, RecordView) throws -> Void
    ) throws {
      var start = 0
      while start < rows.count {
        let end = min(start + Filter.Batch.capacity, rows.count)
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
}
