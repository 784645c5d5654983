import Foundation
import Hummingbird
import NIOCore
import PageServer
import ServiceLifecycle
import Synchronization

/// Runs queries on threads of its own, a few at a time, so that a slow one stops nobody else's pages.
///
/// Threads: any.
final class QueryQueue: Sendable {
  /// How many queries run at a time.
  static let queriesMax = 4

  /// What runs and what waits.
  private struct State {
    var running = 0
    /// In the order in which it came.
    var waiting: [@Sendable () -> Void] = []
  }

  /// How long a query may take.
  let limit: Duration
  private let countMax: Int
  private let waits: Bool
  private let state = Mutex(State())

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - limit: How long a query may take, from its start.
  ///   - countMax: How many run at a time.
  ///   - waits: Whether others wait for their turn; otherwise they are refused.
  init(limit: Duration, countMax: Int = queriesMax, waits: Bool = true) {
    (self.limit, self.countMax, self.waits) = (limit, countMax, waits)
  }

  /// Whether work would run at once.
  var hasRoom: Bool { state.withLock { $0.running < countMax } }

  /// Runs work for a connection; it ends early with the connection, with the server, and when it takes too long.
  ///
  /// - Parameters:
  ///   - channel: The connection; nil where it is noticed elsewhere that it ends.
  ///   - limit: How long the work may take; nil without a limit.
  ///   - work: What to do on a thread of the queue; it checks the progress that it is given again and again.
  /// - Throws: What the work throws; ``QueryProgress/Stop``.
  func run<Value: Sendable>(
    for channel: (any Channel)?, limit: Duration?,
    _ work: @escaping @Sendable (QueryProgress) throws -> Value
  ) async throws -> Value {
    let progress = QueryProgress(limit: limit)
    // The connection may serve many requests, none of which it keeps.
    channel?.closeFuture.whenComplete { [weak progress] _ in progress?.cancel() }
    return try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await withCheckedThrowingContinuation { continuation in
          let isTaken = start {
            continuation.resume(
              with: Result {
                try progress.begin()
                return try QueryProgress.$current.withValue(progress) { try work(progress) }
              })
          }
          if !isTaken { continuation.resume(throwing: QueryProgress.Stop.busy) }
        }
      } onGracefulShutdown: {
        // A server that is told to end waits for its answers.
        progress.cancel()
      }
    } onCancel: {
      progress.cancel()
    }
  }

  /// Runs work now, or when one of the threads is done with its own.
  ///
  /// The threads of the system's pool are as few as there are cores, and long work takes all of them.
  ///
  /// - Returns: False where the work is refused.
  private func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    let (hasRoom, isTaken) = state.withLock { state in
      if state.running == countMax {
        if waits { state.waiting.append(work) }
        return (false, waits)
      }
      state.running += 1
      return (true, true)
    }
    guard hasRoom else { return isTaken }
    Thread.detachNewThread {
      var next: (@Sendable () -> Void)? = work
      while let work = next {
        work()
        next = self.state.withLock { state in
          if !state.waiting.isEmpty { return state.waiting.removeFirst() }
          state.running -= 1
          return nil
        }
      }
    }
    return true
  }
}

/// Tells a query that runs when to end.
///
/// Threads: any.
final class QueryProgress: Sendable {
  /// Why a query ended before it was done.
  enum Stop: Error, Equatable {
    /// It took longer than it may.
    case tooSlow(Duration)
    /// Nobody waits for the answer any more, or its store is no more.
    case left
    /// Others have taken all places.
    case busy
  }

  /// That of the query that runs on this thread.
  @TaskLocal static var current: QueryProgress?

  private let limit: Duration?
  private let isCancelled = Atomic(false)
  private let onCancel = Mutex<(@Sendable () -> Void)?>(nil)
  private let end = Mutex<ContinuousClock.Instant?>(nil)
  /// The time of a part of the query, and when it is over.
  private let part = Mutex<(limit: Duration, end: ContinuousClock.Instant)?>(nil)

  /// Makes the progress of a query that has not begun.
  ///
  /// - Parameter limit: How long the query may take; nil without a limit.
  init(limit: Duration?) { self.limit = limit }

  /// Begins to count the time.
  ///
  /// - Throws: ``Stop/left`` where nobody waits any more.
  func begin() throws(Stop) {
    if isCancelled.load(ordering: .relaxed) { throw .left }
    if let limit { end.withLock { $0 = .now + limit } }
  }

  /// Tells the query to end, because nobody waits for it.
  func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    onCancel.withLock { $0 }?()
  }

  /// Sets what is called when the query shall end, also where it shall already.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    onCancel.withLock { $0 = action }
    if isCancelled.load(ordering: .sequentiallyConsistent) { action() }
  }

  /// Throws where the query shall end.
  func check() throws(Stop) {
    if isCancelled.load(ordering: .relaxed) { throw .left }
    let now = ContinuousClock.now
    if let limit, let end = end.withLock(\.self), now >= end { throw .tooSlow(limit) }
    if let part = part.withLock(\.self), now >= part.end { throw .tooSlow(part.limit) }
  }

  /// Runs a part of the query of this thread, which has less time than all of it.
  ///
  /// - Parameters:
  ///   - limit: How long the part may take.
  ///   - work: The part, which has no other one in it.
  /// - Returns: Nil where the time of the part was over, and that of the query is not.
  /// - Throws: What the part throws; ``Stop``.
  static func part<Value>(upTo limit: Duration, _ work: () throws -> Value) throws -> Value? {
    guard let progress = current else { return try work() }
    progress.part.withLock { $0 = (limit, .now + limit) }
    do {
      defer { progress.part.withLock { $0 = nil } }
      return try work()
    } catch Stop.tooSlow {
      try progress.check()
      return nil
    }
  }
}
