/// A stage outside of any chain: hands everything to a closure, as events.
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
