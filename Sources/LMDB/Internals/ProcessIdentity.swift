#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Which process is running.
enum ProcessIdentity {
  /// The system's number of the running process.
  static var current: Int { Int(getpid()) }
}
