import Synchronization

/// A place for one disposable that is not there yet.
///
/// It may be disposed before its disposable is set; that one is then disposed at once.
public final class SingleAssignmentDisposable: Cancelable {
  private let upstream = SingleAssignmentHandle()
  private let isSet = Atomic<Bool>(false)

  /// Makes an empty one.
  public init() {}

  /// Whether it was disposed.
  public var isDisposed: Bool { upstream.isDisposed }

  /// Sets the disposable.
  ///
  /// - Precondition: it was not set before. Where it has to change, `SerialDisposable` fits.
  public func setDisposable(_ disposable: any Disposable) {
    precondition(
      !isSet.exchange(true, ordering: .acquiringAndReleasing),
      "The disposable was set before: use SerialDisposable where it has to change.")
    upstream.attach(disposable)
  }

  /// Disposes what was set, or what will be.
  public func dispose() { upstream.dispose() }
}
