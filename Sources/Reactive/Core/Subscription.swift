/// The handle that a user keeps, which disposes the chain.
///
/// It holds the handle of the chain's source and releases it at the end, so a subscription of an
/// ended sequence retains nothing else.
final class Subscription: Cancelable, StoppableDisposable, @unchecked Sendable {
  // Unchecked: onDisposed is guarded, and its closure is called once.
  let upstream = SingleAssignmentHandle()
  private let onDisposed: Locked<(() -> Void)?>
  #if DEBUG
    private let liveCount = Resources.LiveCount()
  #endif

  init(onDisposed: (() -> Void)? = nil) {
    self.onDisposed = Locked(onDisposed)
  }

  var isDisposed: Bool { upstream.isDisposed }

  /// Disposes from outside: disposes the source, and then calls `onDisposed`.
  func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.disposeHandle()
    onDisposed.take()?()
  }

  /// Ends from within, once: emits the end, calls `onDisposed`, and then disposes the source.
  func finish(_ deliverEnd: () -> Void) {
    guard !upstream.isDisposed, upstream.markDisposed() else { return }
    deliverEnd()
    onDisposed.take()?()
    upstream.disposeHandle()
  }

  func stop() { upstream.stop() }
}
