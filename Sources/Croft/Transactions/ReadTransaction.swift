import LMDB

/// One consistent view of the store, passed to the closure of a read.
///
/// Later commits do not show in it. It holds on to its version until the closure
/// returns, so keep it short.
@safe
public struct ReadTransaction: ~Copyable {
  let base: LMDB.ReadTransaction
  let catalog: Catalog
  /// The table of the last query, which most often is the next one's too; the catalog holds it.
  private var lastTable: Unmanaged<Table>?
  /// The model of that table, where it is known.
  @usableFromInline var lastModel: ObjectIdentifier?
  /// The code of the key that is looked up.
  @usableFromInline var probe = _ByteBuffer()
  /// Rows of other layouts.
  let arena = RecordArena()
  /// What was read since recording began; nil where it is not recorded.
  private var region: ReadRegion?

  init(_ base: consuming LMDB.ReadTransaction, _ catalog: Catalog) {
    self.base = base
    self.catalog = catalog
  }

  /// Turns an error of the engine into the store's.
  func failing(_ error: any Error) -> any Error {
    switch error {
    // The caller's own closure threw it.
    case let error as CallbackError: error.underlying
    case let error as LMDBError: StoreError(error)
    default: error
    }
  }

  /// Runs a closure, and records what it reads.
  mutating func recording<R>(
    _ region: inout ReadRegion, _ body: (inout ReadTransaction) throws -> R
  ) rethrows -> R {
    self.region = ReadRegion()
    defer {
      region = self.region ?? region
      self.region = nil
    }
    return try body(&self)
  }

  /// Records that any change of a model matters.
  mutating func note(whole table: Table) { region?.add(whole: table) }

  private mutating func table(of schema: Schema) throws(StoreError) -> Table {
    // Safety: the transaction holds the catalog, which holds the table.
    if let table = unsafe lastTable?.takeUnretainedValue(), table.schema === schema { return table }
    let table = try catalog.table(of: schema)
    unsafe lastTable = .passUnretained(table)
    lastModel = nil
    return table
  }

  /// Finds the table of a model; nobody counts references to it while the same model is read.
  @usableFromInline
  mutating func choose(_ model: ObjectIdentifier, _ schema: Schema) throws {
    do { _ = try table(of: schema) } catch { throw failing(error) }
    lastModel = model
  }
}

extension ReadTransaction: ReadableTransaction {
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
      // Safety: the catalog holds the table, and the probe does not change while the row is borrowed.
      try unsafe lastTable?._withUnsafeGuaranteedRef { table in
        unsafe region?.add(key: [UInt8](probe.bytes), of: table)
        try unsafe table.withRow(probe.bytes, in: base, arena, body)
      }
    } catch { throw failing(error) }
  }

  /// Counts a query's objects; see ``ReadableTransaction``.
  public mutating func count<M: Model>(_ query: Query<M>) throws -> Int {
    do {
      let table = try table(of: M._schema.erased)
      try region?.add(query.core, reading: _RowReading(paths: []), of: table, catalog)
      return try QueryRun(Plan(query.core, table, catalog, for: .count, in: base)).count(in: base)
    } catch { throw failing(error) }
  }

  /// Tells how a query would be run; see ``ReadableTransaction``.
  public mutating func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation {
    do {
      let table = try catalog.table(of: M._schema.erased)
      region?.add(whole: table)
      return try Plan(query.core, table, catalog, in: base).withEstimate(in: base).explanation
    } catch { throw failing(error) }
  }

  /// Calls a closure with each row of a query's result as bytes; it returns false to stop.
  public mutating func _forEachRow<M: Model>(
    _ query: Query<M>, _ reading: _RowReading, _ body: (_RowReference) throws -> Bool
  ) throws {
    do {
      let table = try catalog.table(of: M._schema.erased)
      try region?.add(query.core, reading: reading, of: table, catalog)
      let run = try QueryRun(Plan(query.core, table, catalog, in: base))
      try run.forEach(reading: reading, in: base, body)
    } catch { throw failing(error) }
  }

  /// Calls a closure with each row of a query's result, which returns false to stop.
  public mutating func _forEachMatch<M: Model>(
    _ query: Query<M>, _ body: (inout _RecordDecoder) throws -> Bool
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      try region?.add(query.core, reading: .all, of: table, catalog)
      try QueryRun(Plan(query.core, table, catalog, in: base)).forEachDecoded(in: base, body)
    } catch { throw failing(error) }
  }
}

// MARK: - Keys of results

extension ReadTransaction {
  /// Reads the codes of the primary keys of a query's objects, in its order.
  mutating func readKeys<M: Model>(of query: Query<M>, into keys: inout ByteList) throws {
    do {
      let table = try table(of: M._schema.erased)
      keys = try QueryRun(Plan(query.core, table, catalog, in: base)).resultKeys(in: base)
    } catch { throw failing(error) }
  }

  /// The object of a key; nil where there is none.
  mutating func object<M: Model>(of key: [UInt8]) throws -> M? {
    do {
      let table = try table(of: M._schema.erased)
      region?.add(key: key, of: table)
      var object: M?
      // Safety: the row is decoded while the key lives.
      try unsafe key.withUnsafeBytes { key in
        try unsafe table.withRow(key, in: base, arena) { row in object = try M(_record: &row) }
      }
      return object
    } catch { throw failing(error) }
  }

  /// Decodes the objects of some keys.
  mutating func objects<M: Model>(
    of keys: borrowing ByteList, _ places: Range<Int>
  ) throws -> [M] {
    do {
      let table = try table(of: M._schema.erased)
      var objects: [M] = []
      for place in places {
        // Safety: the list does not change while the row is borrowed.
        try unsafe table.withRow(keys[place], in: base, arena) { row in
          objects.append(try M(_record: &row))
        }
      }
      return objects
    } catch { throw failing(error) }
  }
}

// MARK: - The reading functions of both kinds of transaction

/// The functions that read, which read and write transactions have in common.
///
/// Threads: a transaction is used by the thread that runs its closure.
public protocol ReadableTransaction: ~Copyable {
  /// Passes the row of a key to a closure, if there is one.
  mutating func _withRow<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, _ body: (inout _RecordDecoder) throws -> Void
  ) throws

  /// Counts a query's objects, without making any.
  ///
  /// - Parameter query: The query; its offset and limit apply.
  /// - Returns: How many objects `fetch` would return.
  /// - Throws: ``StoreError`` as for `fetch`, except for raw values without a case.
  /// - Complexity: O(1) for all objects of a model; O(matches) where an index or key
  ///   range decides the condition; else O(*n*).
  mutating func count<M: Model>(_ query: Query<M>) throws -> Int

  /// Tells how a query would be run.
  ///
  /// - Returns: The plan, with an estimate of its rows from counts of index entries.
  /// - Throws: ``StoreError/unknownModel(model:)``.
  mutating func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation

  /// Calls a closure with each row of a query's result as bytes; it returns false to stop.
  ///
  /// - Parameter reading: What the closure reads of the rows.
  mutating func _forEachRow<M: Model>(
    _ query: Query<M>, _ reading: _RowReading, _ body: (_RowReference) throws -> Bool
  ) throws

  /// Calls a closure with each row of a query's result, which returns false to stop.
  mutating func _forEachMatch<M: Model>(
    _ query: Query<M>, _ body: (inout _RecordDecoder) throws -> Bool
  ) throws
}

extension ReadableTransaction where Self: ~Copyable {
  /// Finds one object by its primary key.
  ///
  /// - Returns: The object, or nil where no object has this key.
  /// - Throws: ``StoreError/unknownModel(model:)``; ``StoreError/schemaMismatch(model:field:reason:)``
  ///   for a stored raw value without a case; ``StoreError/corrupt(model:key:reason:)``.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func get<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) throws -> M? {
    var object: M?
    try _withRow(of: model, key) { row in object = try M(_record: &row) }
    return object
  }

  /// Fetches a query's objects, in its order.
  ///
  /// - Returns: The objects; empty, never nil, where none matches.
  /// - Throws: ``StoreError/unknownModel(model:)``; ``StoreError/schemaMismatch(model:field:reason:)``
  ///   for a stored raw value without a case; ``StoreError/corrupt(model:key:reason:)``.
  /// - Complexity: O(*n*) to scan, O(*m* log *n*) for *m* rows found by an index, and
  ///   O(*m* log *m*) to order them. Only the objects returned are made.
  @inlinable
  public mutating func fetch<M: Model>(_ query: Query<M>) throws -> [M] {
    var objects: [M] = []
    try _forEachMatch(query) { row in
      if objects.isEmpty { objects.reserveCapacity(row.expectedRows) }
      objects.append(try M(_record: &row))
      return true
    }
    return objects
  }

  /// Fetches the first object of a query, in its order, as with a limit of 1.
  ///
  /// - Returns: The object, or nil where none matches.
  /// - Throws: As ``fetch(_:)-(Query<M>)``.
  @inlinable
  public mutating func first<M: Model>(_ query: Query<M>) throws -> M? {
    var object: M?
    try _forEachMatch(query._first) { row in
      object = try M(_record: &row)
      return false
    }
    return object
  }
}

// MARK: - Stores and snapshots

/// A store, or a snapshot of one: the source of read transactions.
///
/// Threads: any.
public protocol ReadableStore: Sendable {
  /// Reads within one consistent view.
  ///
  /// - Parameter body: What to read; it may fetch any number of times.
  /// - Throws: What the closure throws; ``StoreError/readersFull(reason:)``.
  func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R

  /// Reads within one consistent view, off the caller's thread.
  ///
  /// - Throws: As the synchronous read, and `CancellationError` when the task is cancelled
  ///   before the closure starts.
  func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) async throws -> R
}

extension ReadableStore {
  /// Fetches a query's objects, in one read transaction.
  ///
  /// - Throws: ``StoreError``, as for a read and a fetch.
  @inlinable
  public func fetch<M: Model>(_ query: Query<M>) throws -> [M] {
    try read { try $0.fetch(query) }
  }

  /// Fetches the first object of a query, in one read transaction.
  ///
  /// - Returns: The object, or nil where none matches.
  /// - Throws: ``StoreError``, as for a read and a fetch.
  @inlinable
  public func first<M: Model>(_ query: Query<M>) throws -> M? {
    try read { try $0.first(query) }
  }

  /// Counts a query's objects, in one read transaction.
  ///
  /// - Throws: ``StoreError``, as for a read and a count.
  public func count<M: Model>(_ query: Query<M>) throws -> Int {
    try read { try $0.count(query) }
  }

  /// Finds one object by its primary key, in one read transaction.
  ///
  /// - Returns: The object, or nil where no object has this key.
  /// - Throws: ``StoreError``, as for a read and a get.
  @inlinable
  public func get<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) throws -> M? {
    try read { try $0.get(model, key) }
  }

  /// Fetches the first object of a query, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func first<M: Model>(_ query: Query<M>) async throws -> M? {
    try await read { try $0.first(query) }
  }

  /// Counts a query's objects, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func count<M: Model>(_ query: Query<M>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// Finds one object by its primary key, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func get<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) async throws -> M? {
    try await read { try $0.get(model, key) }
  }
}

// Objects that the program knows by references and keys.

extension ReadableTransaction where Self: ~Copyable {
  /// Finds the object that a reference names.
  ///
  /// - Parameter reference: The reference, such as a property of another object; nil finds nothing.
  /// - Returns: The object, or nil where it has been deleted.
  /// - Throws: As ``get(_:_:)``.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func get<M: Model>(_ reference: Ref<M>?) throws -> M? {
    guard let reference else { return nil }
    return try get(M.self, reference.key)
  }

  /// Finds the objects of some primary keys.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - keys: The values of its primary keys, in any order; one may come twice.
  /// - Returns: For each key, in their order, the object, or nil where no object has this key.
  /// - Throws: As ``get(_:_:)``.
  /// - Complexity: O(*k* log *n*) for *k* keys.
  @inlinable
  public mutating func get<M: Model>(
    _ model: M.Type, keys: some Sequence<M.PrimaryKey>
  ) throws -> [M?] {
    var objects: [M?] = []
    objects.reserveCapacity(keys.underestimatedCount)
    for key in keys { objects.append(try get(model, key)) }
    return objects
  }

  /// Fetches the objects that some references name, in the references' order.
  ///
  /// ```swift
  /// let items = try tx.fetch(references)
  /// ```
  ///
  /// - Parameter references: The references, such as a property of another object. Those of a stored
  ///   object all name existing objects; those of an older copy may name deleted ones.
  /// - Returns: The objects; one that has been deleted is left out, and one that is named twice
  ///   comes twice.
  /// - Throws: As ``get(_:_:)``.
  /// - Complexity: O(*k* log *n*) for *k* references.
  @inlinable
  public mutating func fetch<M: Model>(_ references: some Sequence<Ref<M>>) throws -> [M] {
    var objects: [M] = []
    objects.reserveCapacity(references.underestimatedCount)
    for reference in references {
      if let object = try get(M.self, reference.key) { objects.append(object) }
    }
    return objects
  }

  /// Fetches a query's objects, each with the object that a property of it refers to.
  ///
  /// ```swift
  /// let pairs = try tx.fetch(TodoItem.all.including(\.group))
  /// ```
  ///
  /// - Returns: The pairs, in the query's order.
  /// - Throws: As ``fetch(_:)-(Query<M>)``.
  /// - Complexity: That of the query, and O(log *n*) for each object that is referred to: one that
  ///   many objects refer to is read once.
  public mutating func fetch<M: Model, Target: Model, Included>(
    _ query: IncludingQuery<M, Target, Included>
  ) throws -> [(M, Included)] {
    var found: [Ref<Target>: Target?] = [:]
    return try fetch(query.query).map { object in
      guard let reference = query.reference(object) else { return (object, try query.include(nil)) }
      if let target = found[reference] { return (object, try query.include(target)) }
      let target = try get(reference)
      found[reference] = .some(target)
      return (object, try query.include(target))
    }
  }

  /// Passes a query's objects to a closure one after the other, without keeping them.
  ///
  /// ```swift
  /// var letters = 0
  /// try tx.forEach(TodoItem.all) { item, stop in
  ///   letters += item.title.count
  ///   stop = letters > 1_000
  /// }
  /// ```
  ///
  /// The closure sets its second argument to true to stop; an error that it throws ends the loop.
  ///
  /// - Throws: As ``fetch(_:)-(Query<M>)``, and what the closure throws.
  /// - Complexity: The same as `fetch`; objects after the last call are not read if an index or the
  ///   primary key gives the order.
  @inlinable
  public mutating func forEach<M: Model>(
    _ query: Query<M>, _ body: (M, inout Bool) throws -> Void
  ) throws {
    var stops = false
    try _forEachMatch(query) { row in
      try body(try M(_record: &row), &stops)
      return !stops
    }
  }

  /// Passes all of a query's objects to a closure one after the other, without keeping them.
  ///
  /// An error that the closure throws ends the loop.
  ///
  /// - Throws: As ``fetch(_:)-(Query<M>)``, and what the closure throws.
  @inlinable
  public mutating func forEach<M: Model>(_ query: Query<M>, _ body: (M) throws -> Void) throws {
    try _forEachMatch(query) { row in
      try body(try M(_record: &row))
      return true
    }
  }
}

extension ReadableStore {
  /// Finds the object that a reference names, in a read transaction of its own.
  ///
  /// - Throws: As ``ReadableTransaction/get(_:_:)``; ``StoreError/readersFull(reason:)``.
  public func get<M: Model>(_ reference: Ref<M>?) throws -> M? {
    try read { try $0.get(reference) }
  }

  /// Finds the objects of some primary keys, in one read transaction.
  ///
  /// - Returns: For each key, in their order, the object, or nil where no object has this key.
  /// - Throws: As ``ReadableTransaction/get(_:_:)``; ``StoreError/readersFull(reason:)``.
  public func get<M: Model>(_ model: M.Type, keys: some Sequence<M.PrimaryKey>) throws -> [M?] {
    try read { try $0.get(model, keys: keys) }
  }

  /// Fetches the objects that some references name, in the references' order.
  ///
  /// - Returns: The objects; one that has been deleted is left out.
  /// - Throws: As ``ReadableTransaction/get(_:_:)``; ``StoreError/readersFull(reason:)``.
  public func fetch<M: Model>(_ references: some Sequence<Ref<M>>) throws -> [M] {
    try read { try $0.fetch(references) }
  }

  /// Fetches a query's objects, each with the object that a property of it refers to.
  ///
  /// - Throws: As ``ReadableTransaction/fetch(_:)-(Query<M>)``; ``StoreError/readersFull(reason:)``.
  public func fetch<M: Model, Target: Model, Included>(
    _ query: IncludingQuery<M, Target, Included>
  ) throws -> [(M, Included)] {
    try read { try $0.fetch(query) }
  }
}
