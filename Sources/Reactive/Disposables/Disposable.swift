import Synchronization

/// A handle of something that can be stopped or released, such as a subscription.
///
/// Releasing it does not dispose it: keep a subscription in a ``DisposeBag``.
///
/// Threads: `dispose()` may be called from any thread and more than once; only the first call
/// has an effect.
@preconcurrency
public protocol Disposable: Sendable {
  /// Stops or releases it; harmless when repeated.
  func dispose()
}

/// A disposable that says whether it was disposed.
public protocol Cancelable: Disposable {
  /// Whether it was disposed.
  var isDisposed: Bool { get }
}

extension Disposable {
  /// Inserts it into a bag, which disposes it when the bag is deallocated.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Makes disposables.
public enum Disposables {
  /// A disposable that does nothing.
  public static func create() -> any Disposable { NoDisposable.shared }

  /// A disposable that runs a closure when it is disposed, once.
  @preconcurrency
  public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancelable {
    ClosureDisposable(dispose)
  }

  /// A disposable of two others.
  public static func create(
    _ first: any Disposable, _ second: any Disposable
  ) -> any Cancelable {
    CompositeDisposable(disposables: [first, second])
  }

  /// A disposable of three others, or more.
  public static func create(
    _ first: any Disposable, _ second: any Disposable, _ third: any Disposable,
    _ others: any Disposable...
  ) -> any Cancelable {
    CompositeDisposable(disposables: [first, second, third] + others)
  }

  /// A disposable of any number of others.
  public static func create(_ disposables: [any Disposable]) -> any Cancelable {
    CompositeDisposable(disposables: disposables)
  }
}

/// Does nothing; one object is shared.
private final class NoDisposable: Disposable {
  static let shared = NoDisposable()

  func dispose() {}
}

/// Runs a closure once and releases it.
private final class ClosureDisposable: Cancelable {
  private let action: Locked<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = Locked(action)
  }

  var isDisposed: Bool { action.withLock { $0 == nil } }

  func dispose() { action.take()?() }
}

/// A disposable that is a flag: whether it was disposed.
public final class BooleanDisposable: Cancelable, StoppableDisposable {
  private let flag: Atomic<Bool>

  /// Makes a disposable that is not disposed.
  public init() { flag = Atomic(false) }

  /// Makes a disposable that is disposed or not.
  public init(isDisposed: Bool) { flag = Atomic(isDisposed) }

  /// Whether it was disposed.
  public var isDisposed: Bool { flag.load(ordering: .acquiring) }

  /// Marks it as disposed.
  public func dispose() { flag.store(true, ordering: .releasing) }

  // The flag is all that there is to dispose.
  func stop() { dispose() }
}
