import Synchronization

/// Says that a task was cancelled, to work that waits in a queue.
///
/// Threads: any; the flag is atomic.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
