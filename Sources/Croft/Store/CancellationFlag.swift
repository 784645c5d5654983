import Synchronization

/// Says that a task was cancelled, to work that waits in a queue.
///
/// Threads: any; the flag is atomic.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)
  /// Throws `CancellationError` once the task was cancelled.
  func check() throws {
    if flag.load(ordering: .acquiring) { throw CancellationError() }
  }
  func set() { flag.store(true, ordering: .releasing) }
}
