public import Synchronization

#if THREAD_SANITIZER
  public import CroftLibc
#endif

/// A value protected by a mutex under which no user code runs.
///
/// `Mutex` requires values that may cross threads. The elements of an observable need not be
/// `Sendable`: then the observable is not either, and the compiler keeps the whole chain on one
/// thread. That is why this type disables the check, in one place.
@usableFromInline
struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Unchecked: accessed under the mutex only.
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
    // The sanitizer does not see the synchronisation of a contended `Mutex` and reports a race. It
    // sees that of these functions, under which the mutex is never contended.
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

  /// Runs the body with the value, under the mutex.
  ///
  /// The body calls no user code. It releases no elements either, whose deinitialisers are user
  /// code.
  @inlinable
  @inline(__always)
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    #if THREAD_SANITIZER
      pthread_mutex_lock(turn)
      defer { pthread_mutex_unlock(turn) }
    #endif
    return mutex.withLock { Returned(body(&$0.value)) }.value
  }

  // Unchecked: returned to the caller of withLock at once.
  @usableFromInline
  struct Returned<Result>: @unchecked Sendable {
    @usableFromInline let value: Result

    @usableFromInline
    init(_ value: Result) { self.value = value }
  }
}

extension Locked {
  /// Replaces the value; the one before is released outside of the lock.
  func replace(by value: Value) {
    var outgoing = value
    withLock { swap(&$0, &outgoing) }
  }

  /// Empties it and returns what it held.
  ///
  /// The caller releases that outside of the lock, because its captures may have deinitialisers.
  @inline(__always)
  func take<Held>() -> Held? where Value == Held? {
    withLock { held in
      defer { held = nil }
      return held
    }
  }
}
