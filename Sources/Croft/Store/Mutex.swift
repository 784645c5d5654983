#if THREAD_SANITIZER && canImport(Glibc)
  internal import CroftLibc
  internal import Synchronization

  /// The mutex of `Synchronization` inside a mutex of the system, for builds with the thread
  /// sanitizer.
  ///
  /// The sanitizer does not see how a contended mutex of `Synchronization` synchronizes, and
  /// reports a race of two threads that hold it in turn. It knows the mutex of the system, inside
  /// of which the other one is never contended. In other builds, and on Apple's systems, whose
  /// locks the sanitizer knows, the name means the mutex of `Synchronization`.
  @safe
  package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Unchecked: the value is reached through the library's mutex only.
    private let mutex: Synchronization.Mutex<Value>
    private let turn = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Makes a mutex that protects a value.
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

    /// Runs the body with exclusive access to the value.
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
