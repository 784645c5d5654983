#if THREAD_SANITIZER && canImport(Glibc)
  internal import Croft

  /// As in Croft: the thread sanitizer does not understand the standard library's.
  struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Croft.Mutex<Value>

    init(_ initialValue: consuming sending Value) { mutex = Croft.Mutex(initialValue) }

    /// Runs the body with the value, alone.
    borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      try mutex.withLock(body)
    }
  }
#endif
