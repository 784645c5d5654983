import LMDB

/// The one transaction that may change the store at a time, lent to the closure of a write.
///
/// It sees its own changes. When the closure returns they are committed together; when
/// it throws they are gone. An error thrown by a statement for what it was asked
/// (``StoreError/duplicateKey(model:key:)`` and its like) leaves the transaction usable,
/// if the closure catches it.
public struct WriteTransaction: ~Copyable {
  var base: LMDB.WriteTransaction
  let catalog: Catalog
  var header: StoreHeader
  /// The model of the last statement, which is most often the next one's.
  private var lastTable: Table?
  @usableFromInline var encoder = _RowEncoder()
  /// The rows of a bulk insert that have yet to be written.
  var run = RowRun()
  /// The key that a statement asked for.
  @usableFromInline var probe = _ByteBuffer()
  /// A copy of the row that a statement replaces: the tree's own bytes move when it changes.
  var replaced = _ByteBuffer(capacity: 256)
  /// Rows of other layouts that a statement looks at; cleared where one begins.
  let arena = RowArena()
  /// What the rows of the statement at hand refer to, where it is looked up at its end.
  var targets: PendingTargets?
  /// One for each index of the catalog.
  let buffers: [IndexBuffer]
  /// What the transaction does to rows, where somebody wants to know.
  var capture: ChangeCapture?
  /// Whether the commit is noted in the store's log; there is a capture then.
  private let logsCommit: Bool
  var hasChanges = false
  /// What broke the transaction; it can then only be left.
  var failure: StoreError?
  /// How many failures of the engine savepoints have undone.
  var undoneFailures = 0

  init(
    _ base: consuming LMDB.WriteTransaction, _ catalog: Catalog, _ header: StoreHeader,
    _ capture: ChangeCapture?, logsCommit: Bool
  ) {
    self.capture = capture
    self.logsCommit = logsCommit
    self.base = base
    self.catalog = catalog
    self.header = header
    buffers = catalog.makeBuffers()
  }

  /// Finds a model's place, unless the transaction is broken.
  @usableFromInline
  mutating func table(of schema: Schema) throws(StoreError) -> Table {
    if let failure { throw .transactionFailed(reason: "\(failure)") }
    if let lastTable, lastTable.schema === schema { return lastTable }
    let table = try catalog.table(of: schema)
    lastTable = table
    return table
  }

  /// Turns an error into what the caller sees, and remembers it where it broke the transaction.
  @usableFromInline
  mutating func failing(_ error: any Error) -> any Error {
    switch error {
    // Whatever the caller's own closure threw is the caller's, and broke nothing here.
    case let error as ChangeError: return error.underlying
    case let error as LMDBError:
      let failure = StoreError(error)
      self.failure = failure
      return failure
    case let error as StoreError:
      if case .corrupt = error { failure = error }
      return error
    default: return error
    }
  }

  /// Brings an index's tree up to date with the statements so far.
  mutating func applyBuffer(_ slot: Int) throws {
    try buffers[slot].apply(to: &base)
  }

  /// Applies buffers that hold more than a run's bytes.
  mutating func applyFullBuffers() throws {
    for buffer in buffers where buffer.isFull { try buffer.apply(to: &base) }
  }

  /// What is known of the commit that would be made now.
  var record: PendingCommit {
    PendingCommit(sequence: header.sequence + 1, catalog: catalog, capture: capture)
  }

  /// Commits what was changed; a transaction without changes leaves the file alone.
  consuming func commit(_ reader: CatalogReader) throws {
    if let failure {
      base.abort()
      throw failure.afterwards
    }
    guard hasChanges else { return base.abort() }
    for buffer in buffers { try buffer.apply(to: &base) }
    header.sequence += 1
    if logsCommit, let capture {
      let log = try catalog.log ?? CommitLog(creatingIn: &base)
      try log.append(capture.logRecord().bytes, of: header.sequence, &base)
    }
    try StoredCatalog.write(header, to: catalog.meta, &base, path: reader.path)
    try base.commit()
  }
}

/// What a caller's closure threw inside a statement, on its way through the statement.
@usableFromInline
struct ChangeError: Error {
  let underlying: any Error

  @usableFromInline
  init(underlying: any Error) { self.underlying = underlying }
}

extension WriteTransaction: ReadableTransaction {
  /// Lends the row of a key to a closure, if there is one.
  public mutating func _withRow<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, _ body: (inout _RowDecoder) throws -> Void
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      probe.count = 0
      key.appendKey(to: &probe)
      // Safety: the probe does not change while the row is lent.
      try unsafe table.withRow(probe.bytes, in: base, arena, body)
    } catch { throw failing(error) }
  }

  /// Counts a query's objects; see ``ReadableTransaction``.
  public mutating func count<M: Model>(_ query: Query<M>) throws -> Int {
    do {
      let table = try table(of: M._schema.erased)
      return try plan(query.core, table, for: .count).count(in: base)
    } catch { throw failing(error) }
  }

  /// Tells how a query would be run; see ``ReadableTransaction``.
  public mutating func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation {
    do {
      let table = try table(of: M._schema.erased)
      return try plan(query.core, table).looked(in: base).explanation
    } catch { throw failing(error) }
  }

  /// Lends each row of a query's result to a closure as bytes; it returns false to stop.
  public mutating func _forEachRow<M: Model>(
    _ query: Query<M>, _ body: (_RowReference) throws -> Bool
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      try plan(query.core, table).forEachMatch(in: base) { row in
        try body(_RowReference(view: row, layout: table.layout))
      }
    } catch { throw failing(error) }
  }

  /// Lends each row of a query's result to a closure, which returns false to stop.
  public mutating func _forEachMatch<M: Model>(
    _ query: Query<M>, _ body: (inout _RowDecoder) throws -> Bool
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      try plan(query.core, table).forEachDecoded(in: base, body)
    } catch { throw failing(error) }
  }

  /// Chooses a query's plan, and applies the buffers of the indexes that it reads.
  ///
  /// What is buffered may sway the choice, never the result.
  mutating func plan(
    _ query: QueryCore, _ table: Table, for purpose: Plan.Purpose = .rows
  ) throws -> Plan {
    var plan = try Plan(query, table, catalog, for: purpose, in: base)
    for index in try plan.indexes() { try applyBuffer(index.slot) }
    // They were counted before the buffers were applied.
    plan.rows = nil
    return plan
  }
}
