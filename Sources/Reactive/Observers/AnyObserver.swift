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
