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
  private let site: Hooks.CallSite

  init(
    onNext: ((Element) -> Void)?, onError: ((any Error) -> Void)?,
    onCompleted: (() -> Void)?, onDisposed: (() -> Void)?, site: Hooks.CallSite
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
