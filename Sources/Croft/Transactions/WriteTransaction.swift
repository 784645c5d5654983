import LMDB

/// The one transaction that may change the store at a time, passed to the closure of a write.
///
/// It sees its own changes. When the closure returns they are committed together; when it throws
/// they are rolled back. An error in a statement's arguments, such as
/// ``StoreError/duplicateKey(model:fields:key:)``, leaves the transaction usable if the closure
/// catches it.
@safe
public struct WriteTransaction: ~Copyable {
  var base: LMDB.WriteTransaction
  let catalog: Catalog
  /// Where its changes come from.
  let origin: Store.Origin
  var header: StoreHeader
  /// The table of the last statement, which most often is the next one's too; the catalog holds it.
  private(set) var lastTable: Unmanaged<Table>?
  /// The model of that table, where it is known.
  @usableFromInline var lastModel: ObjectIdentifier?
  @usableFromInline var encoder = _RecordEncoder()
  /// The rows of a bulk insert that have yet to be written.
  var pending = PendingRows()
  /// The code of the key that a statement looks up.
  @usableFromInline var probe = _ByteBuffer()
  /// A copy of the row that a statement replaces: the tree's own bytes move when it changes.
  var replaced = _ByteBuffer(capacity: 256)
  var context: WriteTransaction.Context
  var hasChanges = false
  /// The error that broke the transaction, which can then only be aborted.
  var failure: StoreError?
  /// How many failures of the engine savepoints have undone.
  var undoneFailures = 0

  init(
    _ base: consuming LMDB.WriteTransaction, _ catalog: Catalog, _ header: StoreHeader,
    _ changes: ChangeStream?, _ origin: Store.Origin = .local
  ) {
    self.base = base
    self.origin = origin
    self.catalog = catalog
    self.header = header
    context = WriteTransaction.Context(catalog, changes)
  }

  /// Finds a model's table, unless the transaction is broken.
  @usableFromInline
  mutating func table(of schema: Schema) throws(StoreError) -> Table {
    try checkUsable()
    // Safety: the transaction holds the catalog, which holds the table.
    if let table = unsafe lastTable?.takeUnretainedValue(), table.schema === schema { return table }
    let table = try catalog.table(of: schema)
    unsafe lastTable = .passUnretained(table)
    lastModel = nil
    return table
  }

  /// Finds the table of a model; nobody counts references to it while the same model is changed.
  @usableFromInline
  mutating func choose(_ model: ObjectIdentifier, _ schema: Schema) throws {
    _ = try table(of: schema)
    lastModel = model
  }

  /// Throws where the transaction is broken.
  func checkUsable() throws(StoreError) {
    if let failure { throw .transactionFailed(reason: "\(failure)") }
  }

  /// Turns an error into what the caller sees, and remembers it where it broke the transaction.
  @usableFromInline
  mutating func failing(_ error: any Error) -> any Error {
    switch error {
    // The caller's own closure threw it, which broke nothing here.
    case let error as CallbackError: return error.underlying
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
}

// MARK: - Inserting

extension WriteTransaction {
  /// Inserts a new object.
  ///
  /// - Parameter object: The object; its primary key must be free.
  /// - Throws: ``StoreError/duplicateKey(model:fields:key:)``, ``StoreError/keyTooLong(model:field:bytes:)``,
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)`` leave the transaction usable;
  ///   ``StoreError/mapFull(reason:)`` and other errors of the engine end it.
  /// - Complexity: O(log *n*), and O(1) for keys that ascend; index entries are sorted and
  ///   applied later, at the latest by the commit.
  @inlinable
  public mutating func insert<M: Model>(_ object: M) throws {
    let table = try table(of: M._schema.erased)
    encode(object, table)
    try insertEncoded(table)
  }

  /// Inserts many new objects, or none of them: the bulk path.
  ///
  /// It is a ``savepoint(_:)`` of its own: if it throws, its changes are rolled back.
  /// Its objects may refer to each other, in any order: references are looked up at its end.
  ///
  /// - Parameter objects: The objects; their primary keys must be free.
  /// - Throws: As ``insert(_:)``; whatever it is, the transaction stays usable.
  /// - Complexity: O(*m* log *n*) for *m* objects, and O(*m*) for keys that ascend, beside the
  ///   index entries, which are sorted and applied at the latest by the commit. Objects whose
  ///   keys come in no order are sorted first, some megabytes at a time.
  @inlinable
  public mutating func insert<M: Model>(contentsOf objects: some Sequence<M>) throws {
    try writeMany { tx in
      let table = try tx.table(of: M._schema.erased)
      tx.beginBulkInsert()
      for object in objects {
        tx.encode(object, table)
        try tx.appendEncoded(table)
      }
      try tx.endBulkInsert(table)
    }
  }

  /// Writes an object's key and row into the encoder.
  @inlinable
  mutating func encode<M: Model>(_ object: M, _ table: Table) {
    encoder.encode(object, table.layout)
  }

  /// Writes the encoder's row as a new one.
  @usableFromInline
  mutating func insertEncoded(_ table: Table) throws {
    do { try insertRow(table) } catch { throw failing(error) }
  }

  /// The same without turning errors into what the caller sees.
  mutating func insertRow(_ table: Table) throws {
    try table.insert(&encoder, in: &base, context)
    hasChanges = true
  }

  /// Begins a bulk insert; rows that one before it left when it failed are forgotten.
  @usableFromInline
  mutating func beginBulkInsert() { pending.clear() }

  /// Adds the encoder's row to a bulk insert.
  @usableFromInline
  mutating func appendEncoded(_ table: Table) throws {
    try table.append(&encoder, to: &pending, in: &base, context)
    hasChanges = true
  }

  @usableFromInline
  mutating func endBulkInsert(_ table: Table) throws {
    try table.write(&pending, in: &base, context)
  }
}

// MARK: - Reading

extension WriteTransaction: ReadableTransaction {
  /// Passes the row of a key to a closure, if there is one.
  @inlinable
  public mutating func _withRow<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, _ body: (inout _RecordDecoder) throws -> Void
  ) throws {
    if lastModel != ObjectIdentifier(model) {
      try choose(ObjectIdentifier(model), M._schema.erased)
    }
    probe.count = 0
    key.appendKey(to: &probe)
    try withProbedRow(body)
  }

  /// The same for the key whose code is in ``probe``, of the model that was chosen.
  @usableFromInline
  mutating func withProbedRow(_ body: (inout _RecordDecoder) throws -> Void) throws {
    do {
      try checkUsable()
      // Safety: the catalog holds the table, and the probe does not change while the row is borrowed.
      try unsafe lastTable?._withUnsafeGuaranteedRef { table in
        try unsafe table.withRow(probe.bytes, in: base, context.arena, body)
      }
    } catch { throw failing(error) }
  }

  /// Counts a query's objects; see ``ReadableTransaction``.
  public mutating func count<M: Model>(_ query: Query<M>) throws -> Int {
    do {
      let table = try table(of: M._schema.erased)
      return try QueryRun(plan(query.core, table, for: .count)).count(in: base)
    } catch { throw failing(error) }
  }

  /// Tells how a query would be run; see ``ReadableTransaction``.
  public mutating func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation {
    do {
      let table = try table(of: M._schema.erased)
      return try plan(query.core, table).withEstimate(in: base).explanation
    } catch { throw failing(error) }
  }

  /// Passes each row of a query's result to a closure as bytes; it returns false to stop.
  public mutating func _forEachRow<M: Model>(
    _ query: Query<M>, _ reading: _RowReading, _ body: (_RowReference) throws -> Bool
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      for index in try reading.paths.flatMap(catalog.indexes(of:)) { try flush(index) }
      try QueryRun(plan(query.core, table)).forEach(reading: reading, in: base, body)
    } catch { throw failing(error) }
  }

  /// Passes each row of a query's result to a closure, which returns false to stop.
  public mutating func _forEachMatch<M: Model>(
    _ query: Query<M>, _ body: (inout _RecordDecoder) throws -> Bool
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      try QueryRun(plan(query.core, table)).forEachDecoded(in: base, body)
    } catch { throw failing(error) }
  }

  /// Chooses a query's plan, and applies the buffered changes of the indexes that it reads.
  ///
  /// The choice is made before that, so buffered changes may influence it, but never the result.
  mutating func plan(
    _ query: QueryCore, _ table: Table, for purpose: Plan.Purpose = .rows
  ) throws -> Plan {
    var plan = try Plan(query, table, catalog, for: purpose, in: base)
    for index in try plan.indexes() { try flush(index) }
    // They were counted before the buffers were applied.
    plan.rows = nil
    return plan
  }

  /// Applies an index's buffered changes, so that its tree can be read.
  mutating func flush(_ index: any TableIndex) throws {
    try context.writer(of: index)?.flush(to: &base)
  }
}

// MARK: - The commit

extension WriteTransaction {
  /// The commit that would be made now, for observers.
  var record: LiveHub.PendingCommit {
    LiveHub.PendingCommit(
      sequence: header.sequence + 1, catalog: catalog, capture: context.changes?.observers,
      origin: origin)
  }

  /// Commits what was changed; a transaction without changes leaves the file alone.
  consuming func commit(path: String) throws {
    if let failure {
      base.abort()
      throw failure.afterwards
    }
    guard hasChanges else { return base.abort() }
    try context.forEachWriter { try $0.finish(in: &base) }
    header.sequence += 1
    try context.changes?.finish(header.sequence, in: &base)
    try StoredCatalog.write(header, to: catalog.meta, &base, path: path)
    try base.commit()
  }
}
