public import Synchronization

#if THREAD_SANITIZER
  public import Glibc
#endif

/// A value behind a lock that no user code ever runs under.
///
/// `Mutex` asks that whatever goes in or out may cross threads. Elements of an observable need
/// not be `Sendable`; then the observable is not either, and the compiler keeps the whole chain
/// on one thread. That is why the checks are waived here, in one place.
@usableFromInline
struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Unchecked: reached under the mutex only.
  @usableFromInline
  struct Cell: ~Copyable, @unchecked Sendable {
    @usableFromInline var value: Value

    @usableFromInline
    init(_ value: consuming Value) { self.value = value }
  }

  @usableFromInline let mutex: Mutex<Cell>

  @usableFromInline
  init(_ value: consuming Value) { mutex = Mutex(Cell(value)) }

  #if THREAD_SANITIZER
    // The sanitizer does not see what the library does where a mutex is contended, and takes two
    // holders of the same one for a race. It does see these, and then there is no contention.
    @usableFromInline let turn = {
      let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      return mutex
    }()

    deinit {
      pthread_mutex_destroy(turn)
      turn.deallocate()
    }
  #endif

  /// Runs the body with the value, alone.
  ///
  /// The body calls nothing that a user wrote; that includes releasing elements, whose
  /// deinitialisers are user code.
  @inlinable
  @inline(__always)
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    #if THREAD_SANITIZER
      pthread_mutex_lock(turn)
      defer { pthread_mutex_unlock(turn) }
    #endif
    return mutex.withLock { Returned(body(&$0.value)) }.value
  }

  // Unchecked: handed straight back to the caller of withLock.
  @usableFromInline
  struct Returned<Result>: @unchecked Sendable {
    @usableFromInline let value: Result

    @usableFromInline
    init(_ value: Result) { self.value = value }
  }
}
