/// What a subscriber keeps: stops the chain, and says when it stopped.
///
/// It holds the handle of the chain's source, and lets go of it at the end: keeping a
/// subscription of an ended sequence keeps nothing else alive.
final class Subscription: Cancelable, @unchecked Sendable {
  // Unchecked: onDisposed is guarded, and its closure runs once, wherever disposal happens.
  let upstream = SingleAssignmentHandle()
  private let onDisposed: Locked<(() -> Void)?>
  #if DEBUG
    private let counter = Resources.counter
  #endif

  init(onDisposed: (() -> Void)? = nil) {
    self.onDisposed = Locked(onDisposed)
    #if DEBUG
      counter.increment()
    #endif
  }

  deinit {
    #if DEBUG
      counter.decrement()
    #endif
  }

  var isDisposed: Bool { upstream.isDisposed }

  /// Disposes from outside: stops what feeds the chain, then tells the subscriber.
  func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.disposeHandle()
    takeOnDisposed()?()
  }

  /// Ends from within, once: the terminal event, `onDisposed`, then the source's teardown.
  func finish(_ deliverEnd: () -> Void) {
    guard upstream.markDisposed() else { return }
    deliverEnd()
    takeOnDisposed()?()
    upstream.disposeHandle()
  }

  private func takeOnDisposed() -> (() -> Void)? {
    onDisposed.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
