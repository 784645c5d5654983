#if THREAD_SANITIZER && canImport(Glibc)
  internal import Croft

  /// Croft's, because the thread sanitizer does not understand the standard library's.
  typealias Mutex<Value: ~Copyable> = Croft.Mutex<Value>
#endif
