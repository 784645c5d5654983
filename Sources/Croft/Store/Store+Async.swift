internal import Dispatch
import Synchronization

extension Store {
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
    try await run(on: .global()) { cancellation in
      try self.read { transaction in
        try cancellation.check()
        return try body(&transaction)
      }
    }
  }

  /// Changes the store off the caller's thread; a store's writes run in the order of the calls.
  ///
  /// Writes that wait at the same time share one commit, and so one wait for the disk. Each
  /// keeps its promise by itself: it is done as a whole or not at all, fails alone when its
  /// closure throws, and returns when its changes are as safe as the store's durability says. A
  /// later one sees the changes of the earlier ones. When the commit fails, all that shared it
  /// fail with its error. No closure runs twice.
  ///
  /// Threads: never blocks a cooperative thread; the closure runs on the writer's thread.
  ///
  /// - Parameter body: What to change.
  /// - Returns: What the closure returns.
  /// - Throws: As the synchronous write, and `CancellationError` when the task is cancelled
  ///   before the closure starts, which then never runs.
  public func write<R: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) async throws -> R {
    let cancellation = GroupCommit.WriteCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        asyncWrites.submit(GroupCommit.AsyncWrite(body, continuation), cancellation, to: self)
      }
    } onCancel: {
      asyncWrites.cancel(cancellation)
    }
  }

  /// Runs blocking work on a queue; a task cancelled before it starts does not run it.
  func run<R: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable (CancellationToken) throws -> R
  ) async throws -> R {
    let cancellation = CancellationToken()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
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
}

extension Store {
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
