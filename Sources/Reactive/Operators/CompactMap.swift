extension ObservableType {
  /// Sends what a closure makes of each element, unless that is nil.
  ///
  /// - Parameter transform: what it throws ends the sequence.
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Observable<Result> {
    asObservable().lift { CompactMapSink($0, transform) }
  }
}

private final class CompactMapSink<Input, Output>: OperatorSink<Input, Output> {
  private let transform: (Input) throws -> Output?

  init(_ down: Sink<Output>, _ transform: @escaping (Input) throws -> Output?) {
    self.transform = transform
    super.init(down)
  }

  override func next(_ element: Input) {
    if isFinished { return }
    do { if let output = try transform(element) { down.next(output) } } catch { finish(error) }
  }
}
