/// The last stage of a chain, which calls a user's observer.
///
/// The subscription that the user keeps is another object, so that it retains nothing of the
/// chain after the end.
class TerminalSink<Element>: Sink<Element> {
  /// The handle that the user keeps.
  final let subscription: Subscription

  init(_ subscription: Subscription = Subscription()) {
    self.subscription = subscription
  }

  final override func attach(_ upstream: any Disposable) {
    subscription.upstream.attach(upstream)
  }
}

/// Passes everything to an observer.
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

/// Passes everything to closures.
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

/// The handle that a user keeps, which disposes the chain.
///
/// It holds the handle of the chain's source and releases it at the end, so a subscription of an
/// ended sequence retains nothing else.
final class Subscription: Cancelable, @unchecked Sendable {
  // Unchecked: onDisposed is guarded, and its closure is called once.
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

  /// Disposes from outside: disposes the source, and then calls `onDisposed`.
  func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.disposeHandle()
    takeOnDisposed()?()
  }

  /// Ends from within, once: emits the end, calls `onDisposed`, and then disposes the source.
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
