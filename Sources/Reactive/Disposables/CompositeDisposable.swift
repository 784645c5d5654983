/// Disposables that are disposed together, in the order of their insertion.
///
/// What is inserted after it was disposed is disposed at once.
public final class CompositeDisposable: Cancelable {
  /// Names an inserted disposable, to take it out again.
  public struct DisposeKey: Sendable, Hashable {
    fileprivate let key: UInt64
  }

  private let handles = CompositeHandle()

  /// Makes an empty one.
  public init() {}

  /// Makes one of these.
  public init(disposables: [any Disposable]) {
    for disposable in disposables { handles.insert(disposable) }
  }

  /// Makes one of these.
  public convenience init(_ disposables: any Disposable...) {
    self.init(disposables: disposables)
  }

  /// How many disposables it holds; zero once it was disposed.
  public var count: Int { handles.count }

  /// Whether it was disposed.
  public var isDisposed: Bool { handles.isDisposed }

  /// Adds a disposable.
  ///
  /// - Returns: the key to remove it by; nil when this was disposed already, and the argument
  ///   with it.
  @discardableResult
  public func insert(_ disposable: any Disposable) -> DisposeKey? {
    handles.insert(disposable).map(DisposeKey.init(key:))
  }

  /// Takes out a disposable and disposes it.
  public func remove(for disposeKey: DisposeKey) {
    handles.remove(disposeKey.key)?.dispose()
  }

  /// Disposes all of them.
  public func dispose() { handles.dispose() }
}
