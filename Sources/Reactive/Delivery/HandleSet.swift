import Synchronization

/// Handles that are disposed together, in insertion order; a late one is disposed at once.
struct HandleSet: ~Copyable, Sendable {
  private let isClosed = Atomic<Bool>(false)
  private let handles = Guarded(KeyedList<any Disposable>())

  /// Whether it was disposed.
  var isDisposed: Bool { isClosed.load(ordering: .acquiring) }

  /// How many handles it holds.
  var count: Int { handles.withLock { $0.count } }

  /// Keeps a handle and returns its key; when disposed already: disposes it and returns nil.
  @discardableResult
  func insert(_ disposable: any Disposable) -> UInt64? {
    let key = handles.withLock { isDisposed ? nil : $0.insert(disposable) }
    if key == nil { disposable.dispose() }
    return key
  }

  /// Takes a handle out without disposing it; nil when it is gone.
  @discardableResult
  func remove(_ key: UInt64) -> (any Disposable)? {
    handles.withLock { $0.remove(key) }
  }

  /// Takes a handle out and disposes it; harmless without one, or when it is gone.
  func leave(_ key: UInt64?) {
    if let key { remove(key)?.dispose() }
  }

  /// Disposes all of them; harmless when repeated.
  func dispose() {
    if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
    handles.withLock { $0.removeAll() }.forEach { $0.dispose() }
  }
}
