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
final class LiveQuery {
  /// The identity by which observers share a result.
  struct ID: Hashable, Sendable {
    let schema: ObjectIdentifier
    let core: QueryCore

    init(_ core: QueryCore, _ schema: Schema) {
      self.schema = ObjectIdentifier(schema)
      self.core = core
    }
  }

  /// What applying row deltas did.
  enum Outcome: Sendable {
    /// The result is the same.
    case unchanged
    /// ``results`` is a new version.
    case changed
    /// Nothing was applied: the query must be run again.
    case needsRun
  }

  let number: Int
  let id: ID
  /// The model that is queried.
  let schema: Schema
  /// The numbers of the models whose changes matter; empty until the query was run.
  private(set) var dependencies: Set<Int> = []
  /// Whether deltas can be applied; else the query is run again after each.
  let isIncremental: Bool
  /// The commit of the last run; earlier deltas are in its result.
  private(set) var sequence: UInt64 = 0
  var observers: [Int: any ValueObserver<ResultRows>] = [:]
  /// How many rows were tested by the condition, for tests.
  private(set) var predicatesEvaluated = 0
  /// How many times the query was run, for tests.
  private(set) var runs = 0

  private var matcher: RowMatcher?
  private var materialized: MaterializedResult

  /// Makes a query that has not been run.
  init(_ number: Int, _ core: QueryCore, _ schema: Schema) {
    self.number = number
    self.schema = schema
    id = ID(core, schema)
    isIncremental = core.readsOwnColumnsOnly
    materialized = MaterializedResult(core)
  }

  /// The query.
  var core: QueryCore { id.core }

  /// The result after the last delta or run.
  var results: ResultRows { materialized.results }

  /// Runs the query: at first, where ``apply(_:skipped:)`` asks for it, and after unknown changes.
  ///
  /// Rows that are the same as before stay shared with the result before.
  ///
  /// - Parameters:
  ///   - transaction: Shows the commit after which deltas are applied.
  ///   - sequence: The commit.
  ///   - skipped: The observers that skip the difference.
  /// - Throws: ``StoreError`` as a fetch does, except for rows that cannot be decoded.
  /// - Complexity: As a fetch, without making objects.
  func run(
    in transaction: borrowing ReadTransaction, at sequence: UInt64, skipped: Set<Int> = []
  ) throws {
    let before = results
    try StoreError.mapping {
      let catalog = transaction.catalog
      let table = try catalog.table(of: schema)
      var builder = try StoredRowBuilder(core, table, catalog)
      let run = try QueryRun(
        Plan(materialized.lookahead.query(core), table, catalog, in: transaction.base))
      var rows: [StoredRow] = []
      try run.forEach(in: transaction.base) { row in
        rows.append(try builder.stored(row, in: transaction.base))
        return true
      }
      materialized.replace(by: rows)
      dependencies = try core.dependencies(table, catalog)
      matcher = try RowMatcher(core, table, catalog, builder)
      runs += 1
    }
    self.sequence = sequence
    skip(from: before, skipped)
  }

  /// Applies what a part of a commit did to rows of the query's model.
  ///
  /// - Parameters:
  ///   - deltas: The key and the new row of each count; each key once, ascending.
  ///   - skipped: The observers that skip the part.
  /// - Returns: Whether the result changed, or the query must be run again.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row with wrong column ends.
  /// - Complexity: O(*c* log *n*) for *c* deltas among *n* rows.
  func apply(_ deltas: [RowDelta], skipped: Set<Int> = []) throws -> Outcome {
    if deltas.isEmpty { return .unchanged }
    guard isIncremental, let matcher, deltas.allSatisfy({ matcher.reads($0.new) }) else {
      return .needsRun
    }
    predicatesEvaluated += deltas.count
    let before = results
    let outcome = materialized.apply(try matcher.matches(of: deltas))
    if case .changed = outcome { skip(from: before, skipped) }
    return outcome
  }

  /// Hands the result to the observers.
  func publish(_ sequence: UInt64) {
    let results = results
    for observer in observers.values { observer.update(results, max(sequence, self.sequence)) }
  }

  private func skip(from before: ResultRows, _ skipped: Set<Int>) {
    if skipped.isEmpty { return }
    let after = results
    for number in skipped { observers[number]?.skip(from: before, to: after) }
  }
}

/// The row of an observed object, kept up to date for all who observe the object.
///
/// Confined to the hub's queue.
final class LiveObject {
  /// The row after the last delta; nil where there is none.
  private(set) var row: StoredRow?
  /// The commit at which the row was read; earlier deltas are in it.
  private(set) var sequence: UInt64 = 0
  var observers: [Int: any ValueObserver<StoredRow?>] = [:]

  /// Reads the row.
  func read(
    _ key: [UInt8], of schema: Schema, in transaction: borrowing ReadTransaction,
    at sequence: UInt64
  ) throws {
    let catalog = transaction.catalog
    let table = try catalog.table(of: schema)
    row = try table.storedRow(key, in: transaction.base)
    self.sequence = sequence
  }

  /// Replaces the row by the one after a commit.
  func apply(_ new: StoredRow?, skipped: Set<Int>) {
    let old = row
    row = new
    for number in skipped { observers[number]?.skip(from: old, to: new) }
  }

  /// Hands the row to the observers.
  func publish(_ sequence: UInt64) {
    for observer in observers.values { observer.update(row, max(sequence, self.sequence)) }
  }
}

extension LiveQuery {
  /// A row's key, and the row where it matches a query.
  struct RowMatch {
    let key: [UInt8]
    var row: StoredRow?
  }
}

/// Tests rows in memory by a query's compiled condition.
///
/// Confined to its query.
private final class RowMatcher {
  private let layout: RecordLayout
  private let filter: Filter?
  private var builder: StoredRowBuilder
  private var batch: RowBatch

  init(
    _ query: QueryCore, _ table: Table, _ catalog: Catalog, _ builder: consuming StoredRowBuilder
  ) throws {
    layout = table.layout
    filter =
      query.condition.conjuncts.isEmpty
      ? nil : try Filter(query.condition, table.layout, catalog)
    self.builder = builder
    batch = RowBatch(table, RecordArena())
  }

  /// Whether the condition was compiled for a row's layout.
  func reads(_ row: StoredRow?) -> Bool { row.map { $0.layout.isSame(as: layout) } ?? true }

  /// The new row of each delta, where it matches.
  func matches(of deltas: [RowDelta]) throws -> [LiveQuery.RowMatch] {
    var matches = deltas.map { LiveQuery.RowMatch(key: $0.key) }
    var start = 0
    while start < deltas.count {
      let end = min(start + RowBatch.capacity, deltas.count)
      try test(deltas, start..<end, &matches)
      start = end
    }
    return matches
  }

  private func test(
    _ deltas: [RowDelta], _ range: Range<Int>, _ matches: inout [LiveQuery.RowMatch]
  ) throws {
    batch.clear()
    var places: [Int] = []
    for place in range {
      guard let row = deltas[place].new else { continue }
      batch.append(row.view)
      places.append(place)
    }
    try filter?.apply(to: &batch, in: MemoryTransaction())
    // Safety: the views of the batch are in the deltas' rows, which the caller keeps.
    let selection = batch.selection
    for (position, selected) in selection.enumerated() {
      matches[places[Int(selected)]].row = try builder.stored(
        batch[position], in: MemoryTransaction())
    }
  }
}

/// Copies rows into memory, with the codes that place them in a query's order.
///
/// Confined to its query.
private struct StoredRowBuilder: ~Copyable {
  private let group: [ColumnReader]
  private let sort: [ColumnReader]
  private let layout: RecordLayout
  private var codes = _ByteBuffer(capacity: 256)

  /// - Throws: ``StoreError/unknownModel(model:)`` where a path leads to a model that was not
  ///   opened.
  init(_ query: QueryCore, _ table: Table, _ catalog: Catalog) throws {
    let group = try query.distinct.map {
      try ColumnReader($0, table.layout, catalog)
    }
    let sort = try query.order.map {
      try ColumnReader($0, table, catalog)
    }
    self.group = group
    self.sort = sort
    layout = table.layout
  }

  /// Copies a row with its codes.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row with wrong column ends.
  mutating func stored(
    _ row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredRow {
    codes.count = 0
    for column in group { try column.appendCode(of: row, to: &codes, in: transaction) }
    let groupCount = codes.count
    for column in sort { try column.appendCode(of: row, to: &codes, in: transaction) }
    // Safety: the codes do not change during the call.
    return unsafe StoredRow(row, layout, codes: codes.bytes, groupCount: groupCount)
  }
}

/// A transaction without trees, for a condition that reads the bytes of a row in memory alone.
///
/// Conditions on a row's own columns never call it.
private struct MemoryTransaction: LMDB.Transaction, ~Copyable {
  func database(named name: String, order: Database.KeyOrder) throws(LMDBError) -> Database? {
    nil
  }

  func isEmpty() throws(LMDBError) -> Bool { true }

  @_lifetime(borrow self)
  func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? { nil }

  func count(of database: Database) throws(LMDBError) -> Int { 0 }

  func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int { 0 }

  func statistics(of database: Database) throws(LMDBError) -> TreeStatistics {
    Self.refuse()
  }

  func forEachBlock(
    of database: Database, in range: KeyRange, direction: KeyRange.Direction,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {}

  func withCursor<R: ~Copyable>(
    in database: Database, over range: KeyRange, _ body: (inout Cursor) throws -> R
  ) throws -> R {
    Self.refuse()
  }

  private static func refuse() -> Never {
    preconditionFailure("A condition on own columns reads no tree: run the query again instead.")
  }
}
