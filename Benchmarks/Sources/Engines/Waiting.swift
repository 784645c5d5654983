import Dispatch
import Synchronization

/// Async work from a thread that may block, as a benchmark's does.
enum Waiting {
  /// Runs the work and waits for its end.
  ///
  /// The work's tasks run on threads of their own: where the caller's is one of the cooperative pool,
  /// as in tests, waiting could leave the pool none.
  ///
  /// - Throws: what the work throws.
  static func run(_ work: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Outcome()
    Task(executorPreference: QueueExecutor()) {
      do { try await work() } catch { outcome.error.withLock { $0 = error } }
      outcome.done.signal()
    }
    outcome.done.wait()
    if let error = outcome.error.withLock({ $0 }) { throw error }
  }

  private final class Outcome: Sendable {
    let done = DispatchSemaphore(value: 0)
    let error = Mutex<(any Error)?>(nil)
  }
}

/// Runs tasks on a queue of its own.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "bench.waiting")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
