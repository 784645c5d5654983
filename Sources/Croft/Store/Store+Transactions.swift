internal import Dispatch
import LMDB
import Synchronization

extension Store: ReadableStore {
  /// Reads within one consistent view of the store.
  ///
  /// Threads: the closure runs on the calling thread, and never waits for a writer.
  ///
  /// - Parameter body: What to read; it may fetch any number of times.
  /// - Throws: What the closure throws; ``StoreError/readersFull(reason:)``.
  public func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    var transaction = try beginRead()
    return try body(&transaction)
  }

  /// Reads within one consistent view of the store, and may end its queries between two rows.
  ///
  /// A query that matches few of many rows comes to no row that a closure of the program could stop at. So the first
  /// closure is called again and again while rows are read, at least once for 256 of them.
  ///
  /// ```swift
  /// let end = ContinuousClock.now + .seconds(5)
  /// let count = try store.read(onProgress: { if .now > end { throw CancellationError() } }) { tx in
  ///   try tx.count(DynamicQuery("Book where title contains \"sea\""))
  /// }
  /// ```
  ///
  /// Threads: both closures run on the calling thread, which never waits for a writer.
  ///
  /// - Parameters:
  ///   - onProgress: Called between rows; an error that it throws ends the query. It must not use the store.
  ///   - body: What to read; it may fetch any number of times.
  /// - Throws: What the closures throw; ``StoreError/readersFull(reason:)``.
  /// - Complexity: As a read without the closure.
  public func read<R>(
    onProgress: @escaping () throws -> Void, _ body: (inout ReadTransaction) throws -> R
  ) throws -> R {
    try CallbackError.unwrapping {
      var transaction = try beginRead(onProgress: CallbackError.wrapping(onProgress))
      return try body(&transaction)
    }
  }

  /// Changes the store: all changes of the closure are committed, or none if it throws.
  ///
  /// When it returns, the changes are as safe as the store's durability says. The closure
  /// runs once, on the calling thread, and must not write to the same store in another way.
  ///
  /// - Throws: What the closure throws; ``StoreError/busy(reason:)``, ``StoreError/nestedWrite``,
  ///   ``StoreError/readOnly``, ``StoreError/mapFull(reason:)``, or the error of writing the
  ///   commit. Nothing is changed then.
  @discardableResult
  public func write<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    var transaction = try beginWrite()
    let result = try body(&transaction)
    try commit(transaction)
    return result
  }

  /// Changes the store, and may end a query, an update or a delete of many objects before its end.
  ///
  /// The first closure is called again and again while rows are read, sorted, updated by a text or looked up for a
  /// delete, at least once for 256 of them. An error that it throws leaves the transaction usable, where the second
  /// closure catches it: what it was called in has changed nothing then.
  ///
  /// ```swift
  /// let end = ContinuousClock.now + .seconds(5)
  /// try store.write(onProgress: { if .now > end { throw CancellationError() } }) { tx in
  ///   try tx.perform(DynamicStatement("delete Book where title contains \"sea\""))
  /// }
  /// ```
  ///
  /// Threads: both closures run on the calling thread.
  ///
  /// - Parameters:
  ///   - onProgress: Called between rows; an error that it throws ends the statement. It must not use the store.
  ///   - body: What to change, as without the first closure.
  /// - Throws: What the closures throw; else as without the first closure. Nothing is changed then.
  /// - Complexity: As a write without the closure; rows that were found are deleted, and commits are written,
  ///   without a call.
  @discardableResult
  public func write<R>(
    onProgress: @escaping () throws -> Void, _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    try CallbackError.unwrapping {
      var transaction = try beginWrite(onProgress: CallbackError.wrapping(onProgress))
      let result = try body(&transaction)
      try commit(transaction)
      return result
    }
  }

  private func beginRead(onProgress: (() throws -> Void)? = nil) throws -> ReadTransaction {
    try StoreError.mapping {
      let base = try LMDB.ReadTransaction(beginningIn: environment, onProgress: onProgress)
      let version = base.version
      if let last = lastRead.withLock({ $0 }), last.version == version {
        return ReadTransaction(base, last.catalog)
      }
      let (catalog, _) = try catalog(in: base, publishes: true)
      lastRead.withLock { $0 = (version, catalog) }
      return ReadTransaction(base, catalog)
    }
  }

  /// A write transaction, which aborts when the value is released without a commit.
  func beginWrite(
    _ origin: Origin = .local, onProgress: (() throws -> Void)? = nil
  ) throws -> WriteTransaction {
    do {
      let start = schemaUpdate.monitor.startOfWrite
      var base = try LMDB.WriteTransaction(beginningIn: environment, onProgress: onProgress)
      if let start { schemaUpdate.monitor.report(.writeBegan(waited: start.duration(to: .now))) }
      let (catalog, header) = try catalog(forWriting: &base)
      let changes = ChangeStream(
        of: catalog.all, observers: live.capture(for: catalog),
        log: logsCommits && environment.hasOtherUsers ? LogCapture(of: catalog) : nil,
        others: schemaUpdate.sinks(of: catalog.outbox, catalog.meta, origin))
      return WriteTransaction(base, catalog, header, changes, origin)
    } catch let clash as IndexBuilder.IndexClash {
      try abandon(clash)
      return try beginWrite(origin, onProgress: onProgress)
    } catch let error as LMDBError {
      throw StoreError(error)
    }
  }

  /// Removes an index that this program does without and cannot rebuild.
  func abandon(_ clash: IndexBuilder.IndexClash) throws {
    try StoreError.mapping {
      try environment.write { try IndexBuilder(update: schemaUpdate).abandon(clash, &$0) }
    }
  }

  func commit(_ transaction: consuming WriteTransaction) throws {
    // What a transaction opened is void when it aborts, so only a committed catalog is kept.
    let record = transaction.hasChanges ? transaction.record : nil
    let start = schemaUpdate.monitor.startOfWrite
    let isExpected = record.map { live.willCommit($0.sequence) } ?? false
    do {
      try transaction.commit(path: schemaUpdate.path)
    } catch {
      if let record, isExpected { live.didRollBack(record.sequence, self) }
      throw (error as? LMDBError).map { StoreError($0) } ?? error
    }
    if let record {
      if let start {
        let duration = start.duration(to: .now)
        schemaUpdate.monitor.report(.committed(sequence: record.sequence, duration: duration))
      }
      publish(record.catalog)
      live.didCommit(record, wasExpected: isExpected, self)
    }
    snapshots.reportOld()
  }
}

// MARK: - Off the caller's thread

extension Store {
  /// Reads within one consistent view of the store, off the caller's thread.
  ///
  /// Threads: never blocks a cooperative thread; the closure runs on a thread of the system's pool.
  ///
  /// - Throws: As the synchronous read, and `CancellationError` when the task is cancelled
  ///   before the closure starts.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) async throws -> R {
    try await run { cancellation in
      try self.read { transaction in
        try cancellation.check()
        return try body(&transaction)
      }
    }
  }

  /// Changes the store off the caller's thread; a store's writes run in the order of the calls.
  ///
  /// Writes that wait at the same time share one commit, and so one wait for the disk. Each is
  /// atomic by itself: if its closure throws, only that write fails and none of its changes is
  /// stored. It returns when its changes are as safe as the store's durability says. A later write
  /// sees the changes of the earlier ones. If the commit fails, all writes that shared it fail with
  /// its error. No closure runs twice.
  ///
  /// Threads: never blocks a cooperative thread; the closure runs on the writer's thread.
  ///
  /// - Throws: As the synchronous write, and `CancellationError` when the task is cancelled
  ///   before the closure starts, which then never runs.
  @discardableResult
  public func write<R: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) async throws -> R {
    let cancellation = GroupCommit.WriteCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        asyncWrites.submit(GroupCommit.PendingWrite(body, continuation), cancellation, to: self)
      }
    } onCancel: {
      asyncWrites.cancel(cancellation)
    }
  }

  /// Runs blocking work on a thread of the system's pool; a task cancelled before that does not run it.
  func run<R: Sendable>(
    _ work: @escaping @Sendable (CancellationToken) throws -> R
  ) async throws -> R {
    let cancellation = CancellationToken()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result {
              try cancellation.check()
              return try work(cancellation)
            })
        }
      }
    } onCancel: {
      cancellation.set()
    }
  }

  /// Tells work that is queued for a task that the task was cancelled.
  ///
  /// Threads: any; the flag is atomic.
  final class CancellationToken: Sendable {
    private let flag = Atomic(false)
    /// Throws `CancellationError` once the task was cancelled.
    func check() throws {
      if flag.load(ordering: .acquiring) { throw CancellationError() }
    }
    func set() { flag.store(true, ordering: .releasing) }
  }
}

// MARK: - The catalog of a transaction

extension Store {
  var knownCatalog: Catalog { catalog.withLock { $0 } }

  /// The catalog as a reading transaction sees it: read again when another process changed it.
  ///
  /// - Parameter publishes: Whether later transactions may start from it.
  func catalog(
    in transaction: borrowing some LMDB.Transaction & ~Copyable, publishes: Bool
  ) throws -> (Catalog, StoreHeader) {
    let known = knownCatalog
    let header = try StoreHeader(in: known.meta, transaction, path: schemaUpdate.path)
    if header.generation == known.generation, try known.holds(in: transaction) {
      return (known, header)
    }
    guard let fresh = try schemaUpdate.read(transaction) else {
      throw try schemaUpdate.lostModel(transaction)
    }
    try checkModels(schemaUpdate.schemas, of: fresh, known)
    if publishes { publish(fresh) }
    return (fresh, header)
  }

  /// The catalog for a writing transaction, brought up to date with the program's models.
  func catalog(
    forWriting transaction: inout LMDB.WriteTransaction
  ) throws -> (Catalog, StoreHeader) {
    let known = knownCatalog
    let header = try StoreHeader(in: known.meta, transaction, path: schemaUpdate.path)
    if header.generation == known.generation, known.isComplete { return (known, header) }
    let (fresh, freshHeader) = try schemaUpdate.apply(to: &transaction)
    try checkModels(schemaUpdate.schemas, of: fresh, known)
    return (fresh, freshHeader)
  }

  /// Lets later transactions start from a catalog that is committed.
  func publish(_ fresh: Catalog) {
    catalog.withLock {
      let isNewer =
        $0.generation < fresh.generation || !$0.isComplete && fresh.isComplete
        || $0.generation == fresh.generation && fresh.assumedEmpty.count < $0.assumedEmpty.count
      if isNewer { $0 = fresh }
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
        "since the store was opened, another program has erased the store, or renamed the model and "
        + "declared a new \(schema.name); open the store again for the new one, or declare the renamed "
        + "one under its present name with @Renamed(from: \"\(schema.name)\")")
  }
}
