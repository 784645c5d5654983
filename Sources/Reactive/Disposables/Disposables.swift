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

  /// A disposable of three others.
  public static func create(
    _ first: any Disposable, _ second: any Disposable, _ third: any Disposable
  ) -> any Cancelable {
    CompositeDisposable(disposables: [first, second, third])
  }

  /// A disposable of more than three others.
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

/// Does nothing; there is one.
private final class NoDisposable: Disposable {
  static let shared = NoDisposable()

  func dispose() {}
}

/// Runs a closure once and lets go of it.
private final class ClosureDisposable: Cancelable {
  private let action: Locked<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = Locked(action)
  }

  var isDisposed: Bool { action.withLock { $0 == nil } }

  func dispose() {
    let action = action.withLock { held in
      defer { held = nil }
      return held
    }
    action?()
  }
}
