public import Synchronization

/// A value behind a lock that no user code ever runs under.
///
/// `Mutex` asks that whatever goes in or out may cross threads. Elements of an observable need
/// not be `Sendable`; then the observable is not either, and the compiler keeps the whole chain
/// on one thread. That is why the checks are waived here, in one place.
@usableFromInline
struct Guarded<Value>: ~Copyable, @unchecked Sendable {
  // Unchecked: reached under the mutex only.
  @usableFromInline
  struct Cell: @unchecked Sendable {
    @usableFromInline var value: Value

    @usableFromInline
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline let mutex: Mutex<Cell>

  @usableFromInline
  init(_ value: Value) { mutex = Mutex(Cell(value)) }

  /// Runs the body with the value, alone.
  ///
  /// The body calls nothing that a user wrote; that
  /// includes releasing elements, whose deinitialisers are user code.
  @inlinable
  @inline(__always)
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { Returned(body(&$0.value)) }.value
  }

  // Unchecked: handed straight back to the caller of withLock.
  @usableFromInline
  struct Returned<Result>: @unchecked Sendable {
    @usableFromInline let value: Result

    @usableFromInline
    init(_ value: Result) { self.value = value }
  }
}
