extension ObservableType {
  /// Emits the latest element whenever another sequence, the sampler, emits one.
  ///
  /// An element is emitted once; without a new one nothing is emitted. The completion of the source
  /// is emitted with the sampler's next event; the sampler's completion counts as an event. An
  /// error of either is emitted at once. The source is subscribed first.
  ///
  /// - Parameters:
  ///   - sampler: the values of its elements do not matter.
  ///   - defaultValue: emitted when there is no new element.
  public func sample<Source: ObservableType>(
    _ sampler: Source, defaultValue: Element? = nil
  ) -> Observable<Element> {
    fanIn(sampler.asObservable(), sideFirst: false) { SampleSink($0, defaultValue) }
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

  override func receiveSide(_ element: Sample, from side: InputSink) { sample() }

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
