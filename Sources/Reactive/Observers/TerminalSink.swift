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
