import LMDB
import Synchronization

extension Store: ReadableStore {
  /// Reads within one consistent view of the store.
  ///
  /// Threads: the closure runs on the calling thread, and never waits for a writer.
  ///
  /// - Parameter body: What to read; it may fetch any number of times.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; ``StoreError/readersFull(reason:)``.
  public func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    var transaction = try beginRead()
    return try body(&transaction)
  }

  /// Changes the store: all that the closure does, or nothing when it throws.
  ///
  /// When it returns, the changes are as safe as the store's durability says. The closure
  /// runs once, on the calling thread, and must not write to the same store in another way.
  ///
  /// - Parameter body: What to change.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; ``StoreError/busy(reason:)``, ``StoreError/nestedWrite``,
  ///   ``StoreError/readOnly``, ``StoreError/mapFull(reason:)``, or what kept the commit
  ///   from the disk. Nothing is changed then.
  public func write<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    var transaction = try beginWrite()
    let result = try body(&transaction)
    try commit(transaction)
    return result
  }

  /// A read transaction of the last commit.
  private func beginRead() throws -> ReadTransaction {
    do {
      let base = try environment.beginRead()
      let (catalog, _) = try catalog(in: base, publishes: true)
      return ReadTransaction(base, catalog)
    } catch let error as LMDBError {
      throw StoreError(error)
    }
  }

  /// A write transaction, which aborts when the value is released without a commit.
  func beginWrite() throws -> WriteTransaction {
    do {
      var base = try environment.beginWrite()
      let (catalog, header) = try catalog(forWriting: &base)
      let capture = live.capture(for: catalog, logsCommit: logsCommits)
      return WriteTransaction(base, catalog, header, capture, logsCommit: logsCommits)
    } catch let error as LMDBError {
      throw StoreError(error)
    }
  }

  /// Commits a write transaction.
  func commit(_ transaction: consuming WriteTransaction) throws {
    // What a transaction opened is void when it aborts, so only a committed catalog is kept.
    let record = transaction.hasChanges ? transaction.record : nil
    let isExpected = record.map { live.willCommit($0.sequence) } ?? false
    do {
      try transaction.commit(reader)
    } catch {
      if let record, isExpected { live.didRollBack(record.sequence, self) }
      throw (error as? LMDBError).map { StoreError($0) } ?? error
    }
    if let record {
      publish(record.catalog)
      live.didCommit(record, wasExpected: isExpected, self)
    }
    snapshots.reportOld()
  }
}

// MARK: - The catalog of a transaction

extension Store {
  /// The catalog that transactions start from.
  var knownCatalog: Catalog { catalog.withLock { $0 } }

  /// The catalog as a reading transaction sees it: read again when another process changed it.
  ///
  /// - Parameter publishes: Whether later transactions may start from it.
  func catalog(
    in transaction: borrowing some LMDB.Transaction & ~Copyable, publishes: Bool
  ) throws -> (Catalog, StoreHeader) {
    let known = knownCatalog
    let header = try StoreHeader(in: known.meta, transaction, path: reader.path)
    if header.generation == known.generation { return (known, header) }
    guard let fresh = try reader.read(transaction) else {
      throw StoreError.corrupt(model: nil, key: nil, reason: "the catalog lost a model")
    }
    try checkModels(reader.schemas, of: fresh, known)
    if publishes { publish(fresh) }
    return (fresh, header)
  }

  /// The catalog for a writing transaction, brought up to date with the program's models.
  func catalog(
    forWriting transaction: inout LMDB.WriteTransaction
  ) throws -> (Catalog, StoreHeader) {
    let known = knownCatalog
    let header = try StoreHeader(in: known.meta, transaction, path: reader.path)
    if header.generation == known.generation, known.isComplete { return (known, header) }
    let (fresh, freshHeader) = try reader.extend(&transaction)
    try checkModels(reader.schemas, of: fresh, known)
    return (fresh, freshHeader)
  }

  /// Lets later transactions start from a catalog that is committed.
  func publish(_ fresh: Catalog) {
    catalog.withLock {
      if $0.generation < fresh.generation || !$0.isComplete && fresh.isComplete { $0 = fresh }
    }
  }
}

/// Checks that a program's models are those that they were when the store was opened.
///
/// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for one that another program renamed
///   before it declared a new one of that name and form.
private func checkModels(_ schemas: [Schema], of fresh: Catalog, _ known: Catalog) throws {
  for schema in schemas where try fresh.table(of: schema).id != known.table(of: schema).id {
    throw StoreError.schemaMismatch(
      model: schema.name, field: nil,
      reason:
        "another program has renamed it and declared a new \(schema.name) since the store was "
        + "opened; declare it under its present name with @Renamed(from: \"\(schema.name)\"), or open "
        + "the store again for the new one")
  }
}
