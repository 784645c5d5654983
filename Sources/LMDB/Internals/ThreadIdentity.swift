#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Which OS thread is running, for comparison only.
struct ThreadIdentity: Equatable, Sendable {
  private let number: UInt

  /// The running thread.
  static var current: ThreadIdentity {
    #if canImport(Glibc)
      ThreadIdentity(number: UInt(pthread_self()))
    #else
      // Safety: the pointer is compared as a number and never followed.
      unsafe ThreadIdentity(number: UInt(bitPattern: pthread_self()))
    #endif
  }
}
