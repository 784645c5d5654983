import Synchronization

/// Disposables that are disposed together, in insertion order.
///
/// One that is inserted later is disposed at once. This is the storage of `CompositeDisposable`
/// and `DisposeBag`, and of operators with several sources.
struct CompositeHandle: ~Copyable, Sendable {
  private let isMarked = Atomic<Bool>(false)
  private let handles = Locked(Bag<any Disposable>())

  /// Whether it was disposed.
  var isDisposed: Bool { isMarked.load(ordering: .acquiring) }

  /// How many disposables it holds.
  var count: Int { handles.withLock { $0.count } }

  /// Keeps a disposable and returns its key, or disposes it and returns nil after the disposal.
  @discardableResult
  func insert(_ disposable: any Disposable) -> UInt64? {
    let key = handles.withLock { isDisposed ? nil : $0.insert(disposable) }
    if key == nil { disposable.dispose() }
    return key
  }

  /// Removes and returns a disposable without disposing it; nil when there is none of this key.
  @discardableResult
  func remove(_ key: UInt64) -> (any Disposable)? {
    handles.withLock { $0.remove(key) }
  }

  /// Removes a disposable and disposes it; harmless when there is none of this key.
  func dispose(_ key: UInt64?) {
    if let key { remove(key)?.dispose() }
  }

  /// Disposes all of them; harmless when repeated.
  func dispose() {
    if isMarked.exchange(true, ordering: .acquiringAndReleasing) { return }
    handles.withLock { $0.removeAll() }.forEach { $0.dispose() }
  }
}
