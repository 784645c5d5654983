extension ObservableType {
  /// Sends the latest element whenever another sequence sends something.
  ///
  /// An element is sent once; with nothing new there is nothing to send. The end of the source
  /// is sent with the other sequence's next event, that of the other sequence counts as an
  /// event, and an error of either ends it at once. The source is subscribed first.
  ///
  /// - Parameters:
  ///   - sampler: says when; its elements do not matter.
  ///   - defaultValue: sent instead of nothing.
  public func sample<Source: ObservableType>(
    _ sampler: Source, defaultValue: Element? = nil
  ) -> Observable<Element> {
    let source = asObservable()
    let sampler = sampler.asObservable()
    return Producer { down in
      let sink = SampleSink<Element, Source.Element>(down, defaultValue)
      down.attach(sink)
      source.run(sink)
      if !sink.isDisposed { sampler.run(SampleSink.SideSink(sink)) }
    }
  }
}

private final class SampleSink<Element, Sample>: FanInSink<Element, Sample, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private let defaultValue: Element?
  private var latest: Element?
  private var isSourceDone = false

  init(_ down: Sink<Element>, _ defaultValue: Element?) {
    self.defaultValue = defaultValue
    super.init(down)
  }

  override func receive(_ element: Element) { latest = element }

  override func receiveEnd(_ error: (any Error)?) {
    if error == nil { isSourceDone = true } else { finish(error) }
  }

  override func receiveSide(_ element: Sample, from side: SideSink) { sample() }

  override func receiveSideEnd(_ error: (any Error)?) {
    if error == nil { sample() } else { finish(error) }
  }

  private func sample() {
    let element = latest ?? defaultValue
    latest = nil
    if let element { emit(element) }
    if isSourceDone { finish(nil) }
  }
}
