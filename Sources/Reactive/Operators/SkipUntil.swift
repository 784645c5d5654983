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
      if !sink.isDisposed { other.run(sink.signal) }
    }
  }
}

private final class SkipUntilSink<Element, Signal>: SignalledSink<Element, Signal>,
  @unchecked Sendable
{
  // Unchecked: as its superclass; the hooks never overlap.
  private var isOpen = false

  override func take(_ element: Element) {
    if isOpen { down.next(element) }
  }

  override func signalCame() {
    isOpen = true
    leaveSignal()
  }
}
