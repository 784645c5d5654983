/// Something that can be stopped or given back.
///
/// Threads: `dispose()` may be called from any thread and more than once; only the first call
/// has an effect.
@preconcurrency
public protocol Disposable: Sendable {
  /// Stops it; harmless when repeated.
  func dispose()
}

/// A disposable that says whether it was disposed.
public protocol Cancelable: Disposable {
  /// Whether it was disposed.
  var isDisposed: Bool { get }
}

extension Disposable {
  /// Hands it to a bag, which disposes it when the bag goes away.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}
