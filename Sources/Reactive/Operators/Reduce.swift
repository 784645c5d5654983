extension ObservableType {
  /// Emits the value accumulated from all elements when the source completes.
  ///
  /// - Parameters:
  ///   - seed: the accumulated value before the first element; emitted when there is none.
  ///   - accumulator: returns the next accumulated value; an error it throws ends the sequence.
  @preconcurrency
  public func reduce<Result>(
    _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    reduce(seed, accumulator: accumulator) { $0 }
  }

  /// Emits the result of a closure for the value accumulated from all elements.
  ///
  /// - Parameters:
  ///   - seed: the accumulated value before the first element.
  ///   - accumulator: returns the next accumulated value; an error it throws ends the sequence.
  ///   - mapResult: called when the source completed; an error that it throws ends the sequence.
  @preconcurrency
  public func reduce<Accumulated, Result>(
    _ seed: Accumulated,
    accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated,
    mapResult: @escaping @Sendable (Accumulated) throws -> Result
  ) -> Observable<Result> {
    asObservable().lift {
      ReduceSink($0, seed, { $0 = try accumulator($0, $1) }, mapResult)
    }
  }
}

/// Accumulates elements, and emits the result before the end.
final class ReduceSink<Input, Accumulated, Output>: OperatorSink<Input, Output> {
  private let accumulate: (inout Accumulated, Input) throws -> Void
  private let mapResult: (Accumulated) throws -> Output
  /// Protected by the rule that calls never overlap.
  private var accumulated: Accumulated

  init(
    _ down: Sink<Output>, _ seed: Accumulated,
    _ accumulate: @escaping (inout Accumulated, Input) throws -> Void,
    _ mapResult: @escaping (Accumulated) throws -> Output
  ) {
    self.accumulate = accumulate
    self.mapResult = mapResult
    accumulated = seed
    super.init(down)
  }

  override func next(_ element: Input) {
    if isFinished { return }
    do { try accumulate(&accumulated, element) } catch { finish(error) }
  }

  override func done(_ error: (any Error)?) {
    if isFinished { return }
    if let error { return finish(error) }
    do { down.next(try mapResult(accumulated)) } catch { return finish(error) }
    finish()
  }
}

extension ObservableType {
  /// Emits all elements as one array when the source completes.
  public func toArray() -> Single<[Element]> {
    Single(raw: asObservable().lift { ReduceSink($0, [], { $0.append($1) }, { $0 }) })
  }
}
