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

  final override var isDisposed: Bool { subscription.isDisposed }
}

/// The last stage of a chain of one, which can be told to pass on events after the end.
///
/// Sources of recorded events use it, because an observer is tested with those too.
package protocol UncheckedObserverSink: AnyObject {
  /// Makes the stage pass on every event until the subscription is disposed.
  func passEventsAfterEnd()
}

/// Passes everything to an observer.
final class ObserverSink<Observer: ObserverType>: TerminalSink<Observer.Element>,
  UncheckedObserverSink
{
  private let observer: Observer
  /// Set before the source emits.
  private var passesEventsAfterEnd = false

  init(_ observer: Observer) {
    self.observer = observer
  }

  override func next(_ element: Observer.Element) {
    if !subscription.isDisposed { observer.onNext(element) }
  }

  override func done(_ error: (any Error)?) {
    let end: Event<Observer.Element> = error.map { .error($0) } ?? .completed
    if passesEventsAfterEnd {
      if !subscription.isDisposed { observer.on(end) }
    } else {
      subscription.finish { observer.on(end) }
    }
  }

  func passEventsAfterEnd() { passesEventsAfterEnd = true }
}

/// Passes everything to an observer, which may be that of `create`.
final class AnyObserverSink<Element>: TerminalSink<Element> {
  private let sink: Sink<Element>

  init(_ observer: AnyObserver<Element>) {
    sink = observer.sink
  }

  override func next(_ element: Element) {
    if subscription.isDisposed { return }
    sink.next(element)
    // The handle that `create` disposes is not known to it yet.
    if sink.isDisposed { subscription.stop() }
  }

  override func done(_ error: (any Error)?) {
    subscription.finish { sink.done(error) }
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
