internal import CroftLibc
internal import Synchronization

/// Detects whether the process is a child of a fork, without a system call.
enum ForkDetector {
  /// The number of forks between the process that first called `start` and this one.
  private static let forks = Atomic<Int>(0)

  /// Registers a handler that the system calls in every child.
  private static let isWatching: Bool = {
    // The handler touches an atomic number and nothing else, as a child of a fork may.
    pthread_atfork(nil, nil, { ForkDetector.forks.wrappingAdd(1, ordering: .relaxed) }) == 0
  }()

  /// Starts the detection, before which forks are not detected; the number of forks so far.
  static func start() -> Int {
    precondition(isWatching, "The system has no memory left to detect forks.")
    return current
  }

  /// The number of forks so far; it differs in another process.
  @inline(__always)
  static var current: Int { forks.load(ordering: .relaxed) }
}
