extension ObservableType {
  /// Emits every event as an element, the end included, and completes after it.
  public func materialize() -> Observable<Event<Element>> {
    asObservable().lift { MaterializeSink($0) }
  }
}

private final class MaterializeSink<Element>: OperatorSink<Element, Event<Element>> {
  override func next(_ element: Element) { down.next(.next(element)) }

  override func done(_ error: (any Error)?) {
    if isFinished { return }
    down.next(error.map { .error($0) } ?? .completed)
    finish()
  }
}

extension ObservableType where Element: EventConvertible {
  /// Emits the events that are the source's elements.
  @inlinable
  public func dematerialize() -> Observable<Element.Element> {
    stateful(()) { _, element, sink in
      switch element.event {
      case .next(let element): sink.down.next(element)
      case .error(let error): sink.finish(error)
      case .completed: sink.finish()
      }
    }
  }
}
