extension ObservableType {
  /// Drops what comes until another sequence sends something, and sends the rest.
  ///
  /// The source is subscribed first. The other sequence's completion is ignored, its error ends
  /// all.
  public func skip<Source: ObservableType>(until other: Source) -> Observable<Element> {
    let source = asObservable()
    let other = other.asObservable()
    return Producer { down in
      let sink = SkipUntilSink<Element, Source.Element>(down)
      down.attach(sink)
      source.run(sink)
      if !sink.isDisposed { other.run(SkipUntilSink.SideSink(sink)) }
    }
  }
}

private final class SkipUntilSink<Element, Signal>: FanInSink<Element, Signal, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private var isOpen = false

  override func receive(_ element: Element) {
    if isOpen { emit(element) }
  }

  override func receiveSide(_ element: Signal, from side: SideSink) {
    isOpen = true
    side.disposeInput()
  }
}
