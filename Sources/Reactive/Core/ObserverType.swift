/// A receiver of events.
///
/// A type of your own that conforms can be subscribed directly. Events arrive one at a time, and
/// none arrives after an error or a completion.
public protocol ObserverType<Element> {
  /// The type of the elements.
  associatedtype Element

  /// Receives an event.
  func on(_ event: Event<Element>)

  /// Receives an element; the default calls `on(_:)`.
  func onNext(_ element: Element)
}

extension ObserverType {
  /// Sends an element.
  public func onNext(_ element: Element) { on(.next(element)) }

  /// Sends an error, which ends the sequence.
  public func onError(_ error: any Error) { on(.error(error)) }

  /// Sends a completion.
  public func onCompleted() { on(.completed) }

  /// The same observer with its type erased.
  public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }
}

/// A type-erased observer.
///
/// Threads: the observer that `create` passes to its closure may be used from several threads,
/// and puts their events in order. Others are as safe as the observer that they wrap.
public struct AnyObserver<Element>: ObserverType {
  /// A closure that handles an event.
  public typealias EventHandler = @Sendable (Event<Element>) -> Void

  let sink: Sink<Element>

  /// Makes an observer from a closure.
  @preconcurrency
  public init(eventHandler: @escaping EventHandler) {
    sink = EventSink(eventHandler)
  }

  /// Wraps an observer.
  public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
    sink = ForwardingSink(observer)
  }

  init(_ sink: Sink<Element>) {
    self.sink = sink
  }

  /// Receives an event.
  public func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): sink.next(element)
    case .error(let error): sink.done(error)
    case .completed: sink.done(nil)
    }
  }

  /// Sends an element.
  public func onNext(_ element: Element) { sink.next(element) }

  /// Whether events have no effect any more, because the subscription has ended or was disposed.
  ///
  /// A closure of `create` that emits in a loop checks it, to stop once the subscription has ended.
  /// It is always false for other observers.
  public var isDisposed: Bool { sink.isDisposed }
}

// Unchecked: a sink that is called from outside of a chain puts events in order.
extension AnyObserver: @unchecked Sendable where Element: Sendable {}
