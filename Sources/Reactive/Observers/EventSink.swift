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
