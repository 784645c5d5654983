import Dispatch
import Foundation

/// Runs each part of its tasks on a thread of its own.
///
/// Waiting for an exit test's process keeps the thread that waits, and there are as few threads for
/// tasks as the machine has cores: on them, processes would run after one another, and no other test.
final class OwnThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs a closure that blocks, and waits for it without a thread.
  static func run<R: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(E) in try body() })
      }
    }
    return try result.get()
  }
}
