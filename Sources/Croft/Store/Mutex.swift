#if THREAD_SANITIZER && canImport(Glibc)
  internal import Glibc
  internal import Synchronization

  /// The library's mutex with one of the system's around it, for builds with the thread sanitizer.
  ///
  /// The sanitizer does not see what the library does where its mutex is contended, and takes two
  /// holders of the same one for a race. It does see the system's, and within that there is no
  /// contention. In other builds, and on Apple's systems, whose locks it knows, the name means the
  /// library's.
  @safe
  package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Unchecked: the value is reached through the library's mutex only.
    private let mutex: Synchronization.Mutex<Value>
    private let turn = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Makes one around a value.
    package init(_ initialValue: consuming sending Value) {
      mutex = Synchronization.Mutex(initialValue)
      // Safety: it lives at a fixed address until deinit; a default mutex cannot fail.
      unsafe turn.initialize(to: pthread_mutex_t())
      _ = unsafe pthread_mutex_init(turn, nil)
    }

    deinit {
      // Safety: nobody holds the mutex any more.
      _ = unsafe pthread_mutex_destroy(turn)
      unsafe turn.deallocate()
    }

    /// Runs the body with the value, alone.
    package borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      // Safety: it is initialised; the library's mutex may not be locked twice either.
      _ = unsafe pthread_mutex_lock(turn)
      defer { _ = unsafe pthread_mutex_unlock(turn) }
      return try mutex.withLock(body)
    }
  }
#endif
