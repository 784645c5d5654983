internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Tells whether the process is still the one that it was, without asking the system each time.
enum ForkWatch {
  /// How many forks lie between this process and the one that first asked.
  private static let forks = Atomic<Int>(0)

  /// Has the system call us in every child, once and for all.
  private static let isWatching: Bool = {
    // The handler touches an atomic number and nothing else, as a child of a fork may.
    pthread_atfork(nil, nil, { ForkWatch.forks.wrappingAdd(1, ordering: .relaxed) }) == 0
  }()

  /// Starts watching, which must come before a fork to notice it; the number of forks so far.
  static func start() -> Int {
    precondition(isWatching, "The system has no memory left to watch for forks.")
    return current
  }

  /// The number of forks so far; another one than before means another process.
  @inline(__always)
  static var current: Int { forks.load(ordering: .relaxed) }
}
