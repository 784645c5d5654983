import Synchronization

/// Disposables that are disposed together, in the order of their insertion.
///
/// A disposable that is inserted after the disposal is disposed at once.
public final class CompositeDisposable: Cancelable, StoppableDisposable {
  /// The key of an inserted disposable.
  public struct DisposeKey: Sendable, Hashable {
    fileprivate let key: UInt64
  }

  private let handles = CompositeHandle()

  /// Makes an empty one.
  public init() {}

  /// Makes a disposable that contains some disposables.
  public init(disposables: [any Disposable]) {
    for disposable in disposables { handles.insert(disposable) }
  }

  /// Makes a disposable that contains some disposables.
  public convenience init(_ disposables: any Disposable...) {
    self.init(disposables: disposables)
  }

  /// How many disposables it holds; zero once it was disposed.
  public var count: Int { handles.count }

  /// Whether it was disposed.
  public var isDisposed: Bool { handles.isStopped || handles.isDisposed }

  /// Adds a disposable.
  ///
  /// - Returns: the key to remove it by; nil when it was disposed at once.
  @discardableResult
  public func insert(_ disposable: any Disposable) -> DisposeKey? {
    handles.insert(disposable).map(DisposeKey.init(key:))
  }

  /// Removes a disposable and disposes it.
  public func remove(for disposeKey: DisposeKey) {
    handles.remove(disposeKey.key)?.dispose()
  }

  /// Disposes all of them.
  public func dispose() { handles.dispose() }

  func stop() { handles.stop() }
}

/// Disposables that are disposed together, in insertion order.
///
/// One that is inserted later is disposed at once. This is the storage of `CompositeDisposable`
/// and `DisposeBag`, and of operators with several sources.
struct CompositeHandle: ~Copyable, Sendable {
  private let isMarked = Atomic<Bool>(false)
  private let isMarkedStopped = Atomic<Bool>(false)
  private let handles = Locked(Bag<any Disposable>())

  var isDisposed: Bool { isMarked.load(ordering: .acquiring) }

  /// Whether it was stopped, which a disposal follows.
  var isStopped: Bool { isMarkedStopped.load(ordering: .acquiring) }

  var count: Int { handles.withLock { $0.count } }

  /// Keeps a disposable and returns its key, or disposes it and returns nil after the disposal.
  @discardableResult
  func insert(_ disposable: any Disposable) -> UInt64? {
    let key = handles.withLock { isDisposed ? nil : $0.insert(disposable) }
    if key == nil {
      disposable.dispose()
    } else if isStopped {
      disposable.stopIfPossible()
    }
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

  /// Stops the sources of all of them, and of those that are inserted later.
  func stop() {
    isMarkedStopped.store(true, ordering: .releasing)
    handles.withLock { $0 }.forEach { $0.stopIfPossible() }
  }

  /// Disposes all of them; harmless when repeated.
  func dispose() {
    if isMarked.exchange(true, ordering: .acquiringAndReleasing) { return }
    handles.withLock { $0.removeAll() }.forEach { $0.dispose() }
  }
}
