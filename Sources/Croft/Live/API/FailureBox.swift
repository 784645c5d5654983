import Synchronization

/// The error that ended the last of a sequence's iterators that failed.
///
/// Threads: any; it has a lock.
final class FailureBox: Sendable {
  private let stored = Mutex<(any Error)?>(nil)

  var error: (any Error)? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
