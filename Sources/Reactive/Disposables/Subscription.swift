/// What a subscriber keeps: stops the chain, and says when it stopped.
///
/// It holds the handle of the chain's source, and lets go of it at the end: keeping a
/// subscription of an ended sequence keeps nothing else alive.
final class Subscription: Cancelable, @unchecked Sendable {
  // Unchecked: onDisposed is guarded, and its closure runs once, wherever disposal happens.
  let upstream = Upstream()
  private let onDisposed: Guarded<(() -> Void)?>
  #if DEBUG
    private let ledger = Resources.ledger
  #endif

  init(onDisposed: (() -> Void)? = nil) {
    self.onDisposed = Guarded(onDisposed)
    #if DEBUG
      ledger.opened()
    #endif
  }

  deinit {
    #if DEBUG
      ledger.closed()
    #endif
  }

  var isDisposed: Bool { upstream.isDisposed }

  /// Disposes from outside: stops what feeds the chain, then tells the subscriber.
  func dispose() {
    guard upstream.close() else { return }
    upstream.release()
    takeOnDisposed()?()
  }

  /// Ends from within, once: the terminal event, `onDisposed`, then the source's teardown.
  func finish(_ deliverEnd: () -> Void) {
    guard upstream.close() else { return }
    deliverEnd()
    takeOnDisposed()?()
    upstream.release()
  }

  private func takeOnDisposed() -> (() -> Void)? {
    onDisposed.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
