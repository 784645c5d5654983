/// The last stage of a chain, where a user's observer stands.
///
/// It and the handle that the subscriber keeps are two objects, so that a kept handle holds
/// nothing of the chain once that ended.
class TerminalSink<Element>: Sink<Element> {
  /// What the subscriber keeps.
  final let subscription: Subscription

  init(_ subscription: Subscription = Subscription()) {
    self.subscription = subscription
  }

  final override func attach(_ upstream: any Disposable) {
    subscription.upstream.attach(upstream)
  }
}

/// Hands everything to an observer as events.
final class ObserverSink<Observer: ObserverType>: TerminalSink<Observer.Element> {
  private let observer: Observer

  init(_ observer: Observer) {
    self.observer = observer
  }

  override func next(_ element: Observer.Element) {
    if !subscription.isDisposed { observer.onNext(element) }
  }

  override func done(_ error: (any Error)?) {
    subscription.finish { observer.on(error.map { .error($0) } ?? .completed) }
  }
}

/// Hands everything to closures.
final class CallbackSink<Element>: TerminalSink<Element> {
  private let onNext: ((Element) -> Void)?
  private let onError: ((any Error) -> Void)?
  private let onCompleted: (() -> Void)?
  private let site: CallSite

  init(
    onNext: ((Element) -> Void)?, onError: ((any Error) -> Void)?,
    onCompleted: (() -> Void)?, onDisposed: (() -> Void)?, site: CallSite
  ) {
    self.onNext = onNext
    self.onError = onError
    self.onCompleted = onCompleted
    self.site = site
    super.init(Subscription(onDisposed: onDisposed))
  }

  override func next(_ element: Element) {
    if !subscription.isDisposed { onNext?(element) }
  }

  override func done(_ error: (any Error)?) {
    subscription.finish {
      if let error {
        if let onError { onError(error) } else { Hooks.report(error, at: site) }
      } else {
        onCompleted?()
      }
    }
  }
}

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
