extension ObservableType {
  /// Sends these elements first, and then subscribes the source.
  public func startWith(_ elements: Element...) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = StartWithSink(down)
      down.attach(sink)
      for element in elements {
        if sink.isDisposed { return }
        down.next(element)
      }
      if !sink.isDisposed { source.run(sink) }
    }
  }
}

/// Is attached before the source is subscribed, so that the first elements can be stopped.
private final class StartWithSink<Element>: DisposableSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  override func next(_ element: Element) { emit(element) }
}
