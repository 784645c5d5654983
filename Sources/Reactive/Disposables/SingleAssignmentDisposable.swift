import Synchronization

/// Holds one disposable, which is set once.
///
/// It may be disposed before its disposable is set, which is then disposed at once.
public final class SingleAssignmentDisposable: Cancelable, StoppableDisposable {
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

  func stop() { upstream.stop() }
}

/// A disposable that may arrive before or after its disposal was requested.
///
/// Threads: both may happen on any threads and at the same time; the disposable is disposed
/// exactly once. This is the storage of `SingleAssignmentDisposable`, and of the handle that a
/// sink is attached to.
struct SingleAssignmentHandle: ~Copyable, Sendable {
  private static var running: UInt8 { 0 }
  private static var stopped: UInt8 { 1 }
  private static var disposed: UInt8 { 2 }

  private let state = Atomic<UInt8>(0)
  private let handle = Locked<(any Disposable)?>(nil)

  /// Whether it was stopped, or its disposal requested.
  var isDisposed: Bool { state.load(ordering: .acquiring) != Self.running }

  /// Keeps a disposable, or disposes it and returns true when the disposal was requested before.
  @discardableResult
  func attach(_ disposable: any Disposable) -> Bool {
    let state = handle.withLock { held in
      let state = self.state.load(ordering: .acquiring)
      if state != Self.disposed { held = disposable }
      return state
    }
    if state == Self.stopped { disposable.stopIfPossible() }
    if state == Self.disposed { disposable.dispose() }
    return state == Self.disposed
  }

  /// Stops the source of the attached disposable, or of the one that will be attached.
  ///
  /// The disposal has to follow. Returns whether a disposable is attached.
  @discardableResult
  func stop() -> Bool {
    _ = state.compareExchange(
      expected: Self.running, desired: Self.stopped, ordering: .acquiringAndReleasing)
    let held = handle.withLock { $0 }
    held?.stopIfPossible()
    return held != nil
  }

  /// Requests the disposal without disposing yet; true for the one caller that did it.
  func markDisposed() -> Bool {
    state.exchange(Self.disposed, ordering: .acquiringAndReleasing) != Self.disposed
  }

  /// Disposes the attached disposable and returns whether there was one.
  ///
  /// Before `markDisposed` it makes room for another disposable.
  @discardableResult
  func disposeHandle() -> Bool {
    let held = handle.take()
    held?.dispose()
    return held != nil
  }

  /// Disposes the attached disposable, or the one that will be; harmless when repeated.
  func dispose() {
    if markDisposed() { disposeHandle() }
  }
}
