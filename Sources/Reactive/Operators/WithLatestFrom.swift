extension ObservableType {
  /// Combines each element with the latest of another sequence; drops it if there is none.
  ///
  /// The other sequence is subscribed first. Its completion is ignored; its error is emitted.
  @preconcurrency
  public func withLatestFrom<Source: ObservableConvertibleType, Result>(
    _ second: Source,
    resultSelector: @escaping @Sendable (Element, Source.Element) throws -> Result
  ) -> Observable<Result> {
    fanIn(second.asObservable()) { WithLatestFromSink($0, resultSelector) }
  }

  /// Emits the latest element of another sequence for each element; drops it if there is none.
  public func withLatestFrom<Source: ObservableConvertibleType>(
    _ second: Source
  ) -> Observable<Source.Element> {
    withLatestFrom(second) { $1 }
  }
}

private final class WithLatestFromSink<Input, Latest, Output>: FanInSink<Input, Latest, Output>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private let selector: (Input, Latest) throws -> Output
  // The serializer makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var latest: Latest?

  init(_ down: Sink<Output>, _ selector: @escaping (Input, Latest) throws -> Output) {
    self.selector = selector
    super.init(down)
  }

  override func receive(_ element: Input) {
    guard let latest else { return }
    do { emit(try selector(element, latest)) } catch { finish(error) }
  }

  override func receiveSide(_ element: Latest, from side: InputSink) { latest = element }
}
