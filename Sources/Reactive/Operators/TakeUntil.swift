extension ObservableType {
  /// Sends what comes until another sequence sends something, and then completes.
  ///
  /// The other sequence is subscribed first. Its completion is ignored, its error ends all.
  public func take<Source: ObservableType>(until other: Source) -> Observable<Element> {
    let source = asObservable()
    let other = other.asObservable()
    return Producer { down in
      let sink = TakeUntilSink<Element, Source.Element>(down)
      down.attach(sink)
      other.run(TakeUntilSink.SideSink(sink))
      if !sink.isDisposed { source.run(sink) }
    }
  }

  /// Sends elements until one meets a condition, and completes with that.
  ///
  /// - Parameters:
  ///   - predicate: what it throws ends the sequence.
  ///   - behavior: whether the element that meets it is sent.
  @preconcurrency
  public func take(
    until predicate: @escaping @Sendable (Element) throws -> Bool,
    behavior: TakeBehavior = .exclusive
  ) -> Observable<Element> {
    asObservable().lift { TakeWhileSink($0, behavior) { try !predicate($0) } }
  }
}

private final class TakeUntilSink<Element, Signal>: FanInSink<Element, Signal, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  override func receive(_ element: Element) { emit(element) }

  override func receiveSide(_ element: Signal, from side: SideSink) { finish(nil) }
}
