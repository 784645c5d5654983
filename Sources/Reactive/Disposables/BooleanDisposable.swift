import Synchronization

/// A disposable that only remembers whether it was disposed.
public final class BooleanDisposable: Cancelable {
  private let flag: Atomic<Bool>

  /// Makes one that was not disposed.
  public init() { flag = Atomic(false) }

  /// Makes one in a given state.
  public init(isDisposed: Bool) { flag = Atomic(isDisposed) }

  /// Whether it was disposed.
  public var isDisposed: Bool { flag.load(ordering: .acquiring) }

  /// Marks it as disposed.
  public func dispose() { flag.store(true, ordering: .releasing) }
}
