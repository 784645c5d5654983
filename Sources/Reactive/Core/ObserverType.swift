/// Something that events can be sent to.
///
/// Conform your own types to it to subscribe them directly. Events arrive one at a time, and
/// nothing arrives after an error or a completion.
public protocol ObserverType<Element> {
  /// The elements that it takes.
  associatedtype Element

  /// Takes an event.
  func on(_ event: Event<Element>)

  /// Takes an element; what it does is up to `on(_:)` unless it has a faster way.
  func onNext(_ element: Element)
}

extension ObserverType {
  /// Sends an element.
  public func onNext(_ element: Element) { on(.next(element)) }

  /// Sends the end by an error.
  public func onError(_ error: any Error) { on(.error(error)) }

  /// Sends the end.
  public func onCompleted() { on(.completed) }

  /// The same observer without its type.
  public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }
}

/// An observer of any type.
///
/// Threads: those that `create` hands out may be used from several threads; events are put in
/// line. Others are as safe as what they wrap.
public struct AnyObserver<Element>: ObserverType {
  /// What is done with an event.
  public typealias EventHandler = @Sendable (Event<Element>) -> Void

  private let sink: Sink<Element>

  /// Makes an observer of a closure.
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

  /// Takes an event.
  public func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): sink.next(element)
    case .error(let error): sink.done(error)
    case .completed: sink.done(nil)
    }
  }

  /// Sends an element.
  public func onNext(_ element: Element) { sink.next(element) }
}

// Unchecked: a sink that is reached from outside a chain serialises what it is sent.
extension AnyObserver: @unchecked Sendable where Element: Sendable {}

/// A stage outside of any chain that passes everything to a closure, as events.
final class EventSink<Element>: Sink<Element> {
  private let handler: (Event<Element>) -> Void

  init(_ handler: @escaping (Event<Element>) -> Void) {
    self.handler = handler
  }

  override func next(_ element: Element) { handler(.next(element)) }

  override func done(_ error: (any Error)?) {
    handler(error.map { .error($0) } ?? .completed)
  }
}

/// A stage outside of any chain that passes everything to an observer.
final class ForwardingSink<Observer: ObserverType>: Sink<Observer.Element> {
  private let observer: Observer

  init(_ observer: Observer) {
    self.observer = observer
  }

  override func next(_ element: Observer.Element) { observer.onNext(element) }

  override func done(_ error: (any Error)?) {
    observer.on(error.map { .error($0) } ?? .completed)
  }
}
