import Synchronization

/// Holds one disposable, which is set once.
///
/// It may be disposed before its disposable is set, which is then disposed at once.
public final class SingleAssignmentDisposable: Cancelable {
  private let upstream = SingleAssignmentHandle()
  private let isSet = Atomic<Bool>(false)

  /// Makes an empty one.
  public init() {}

  /// Whether it was disposed.
  public var isDisposed: Bool { upstream.isDisposed }

  /// Sets the disposable.
  ///
  /// - Precondition: it was not set before. Use `SerialDisposable` where it has to change.
  public func setDisposable(_ disposable: any Disposable) {
    precondition(
      !isSet.exchange(true, ordering: .acquiringAndReleasing),
      "The disposable was set before: use SerialDisposable where it has to change.")
    upstream.attach(disposable)
  }

  /// Disposes the disposable that was set, or that will be.
  public func dispose() { upstream.dispose() }
}

/// A disposable that may arrive before or after its disposal was asked for.
///
/// Threads: both may happen on any threads and at the same time; the disposable is disposed
/// exactly once. This is the storage of `SingleAssignmentDisposable`, and of the handle that a
/// sink is attached to.
struct SingleAssignmentHandle: ~Copyable, Sendable {
  private let isMarked = Atomic<Bool>(false)
  private let handle = Locked<(any Disposable)?>(nil)

  /// Whether its disposal was asked for.
  var isDisposed: Bool { isMarked.load(ordering: .acquiring) }

  /// Keeps a disposable, or disposes it and returns true when the disposal was asked for before.
  @discardableResult
  func attach(_ disposable: any Disposable) -> Bool {
    let isLate = handle.withLock { held in
      if isDisposed { return true }
      held = disposable
      return false
    }
    if isLate { disposable.dispose() }
    return isLate
  }

  /// Asks for the disposal without disposing yet; true for the one caller that did it.
  func markDisposed() -> Bool {
    !isMarked.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Disposes the attached disposable and returns whether there was one.
  ///
  /// Before `markDisposed` it makes room for another disposable.
  @discardableResult
  func disposeHandle() -> Bool {
    let held = handle.withLock { held in
      defer { held = nil }
      return held
    }
    held?.dispose()
    return held != nil
  }

  /// Disposes the attached disposable, or the one that will be; harmless when repeated.
  func dispose() {
    if markDisposed() { disposeHandle() }
  }
}
