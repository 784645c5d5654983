#if THREAD_SANITIZER && canImport(Glibc)
  import Croft

  /// As in the library: the sanitizer does not understand the standard library's.
  typealias Mutex<Value: ~Copyable> = Croft.Mutex<Value>
#endif
