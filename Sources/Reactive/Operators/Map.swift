extension ObservableType {
  /// Sends what a closure makes of each element.
  ///
  /// - Parameter transform: what it throws ends the sequence.
  @preconcurrency
  public func map<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Observable<Result> {
    asObservable().lift { MapSink($0, transform) }
  }
}

private final class MapSink<Input, Output>: OperatorSink<Input, Output> {
  private let transform: (Input) throws -> Output

  init(_ down: Sink<Output>, _ transform: @escaping (Input) throws -> Output) {
    self.transform = transform
    super.init(down)
  }

  override func next(_ element: Input) {
    if isFinished { return }
    do { down.next(try transform(element)) } catch { finish(error) }
  }
}
