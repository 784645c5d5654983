internal import Dispatch
import LMDB

extension Store: ReadableStore {
  /// Reads within one consistent view of the store.
  ///
  /// Threads: the closure runs on the calling thread, and never waits for a writer.
  ///
  /// - Parameter body: What to read; it may fetch any number of times.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; ``StoreError/readersFull(reason:)``.
  public func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    var transaction = try StoreError.mapping {
      let base = try environment.beginRead()
      let (catalog, _) = try catalog(in: base, publishes: true)
      return ReadTransaction(base, catalog)
    }
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
    var transaction = try StoreError.mapping {
      let base = try environment.beginWrite()
      let (catalog, header) = try catalog(in: base, publishes: false)
      return WriteTransaction(base, catalog, header)
    }
    let result = try body(&transaction)
    do {
      try transaction.commit(reader)
    } catch let error as LMDBError {
      throw StoreError(error)
    }
    snapshots.reportOld()
    return result
  }

  /// Reads within one consistent view of the store, off the caller's thread.
  ///
  /// Threads: never blocks a cooperative thread; the closure runs on a thread of the system's pool.
  ///
  /// - Parameter body: What to read.
  /// - Returns: What the closure returns.
  /// - Throws: As the synchronous read, and `CancellationError` when the task is cancelled
  ///   before the closure starts.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) async throws -> R {
    try await run(on: .global()) { isCancelled in
      try self.read { transaction in
        try isCancelled.check()
        return try body(&transaction)
      }
    }
  }

  /// Changes the store off the caller's thread; one store's writes run in the order asked for.
  ///
  /// Threads: never blocks a cooperative thread; the closure runs on the writer's thread.
  ///
  /// - Parameter body: What to change.
  /// - Returns: What the closure returns.
  /// - Throws: As the synchronous write, and `CancellationError` when the task is cancelled
  ///   before the closure starts.
  public func write<R: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) async throws -> R {
    try await run(on: writer) { isCancelled in
      try self.write { transaction in
        // Looked at behind the wait for other writers, just before the closure starts.
        try isCancelled.check()
        return try body(&transaction)
      }
    }
  }

  /// Runs blocking work on a queue; a task cancelled before it starts does not run it.
  func run<R: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable (CancellationFlag) throws -> R
  ) async throws -> R {
    let isCancelled = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Result {
              try isCancelled.check()
              return try work(isCancelled)
            })
        }
      }
    } onCancel: {
      isCancelled.set()
    }
  }
}
