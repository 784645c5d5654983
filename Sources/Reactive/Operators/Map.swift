extension ObservableType {
  /// Sends what a closure makes of each element.
  ///
  /// - Parameter transform: what it throws ends the sequence.
  @preconcurrency
  @inlinable
  public func map<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Observable<Result> {
    asObservable().lift { MapSink($0, transform) }
  }
}

// Inlinable up to here, because making objects is only fast where the types are known.
@usableFromInline
final class MapSink<Input, Output>: OperatorSink<Input, Output> {
  @usableFromInline let transform: (Input) throws -> Output

  @inlinable
  init(_ down: Sink<Output>, _ transform: @escaping (Input) throws -> Output) {
    self.transform = transform
    super.init(down)
  }

  @usableFromInline
  override func next(_ element: Input) {
    if isFinished { return }
    do { down.next(try transform(element)) } catch { finish(error) }
  }
}
