extension ObservableType {
  /// Sends what came of all elements once the source completed, and completes.
  ///
  /// - Parameters:
  ///   - seed: what there is before the first element; sent when there is none.
  ///   - accumulator: makes the next one of it and an element; what it throws ends the sequence.
  @preconcurrency
  public func reduce<Result>(
    _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    reduce(seed, accumulator: accumulator) { $0 }
  }

  /// Sends what a closure makes of what came of all elements, and completes.
  ///
  /// - Parameters:
  ///   - seed: what there is before the first element.
  ///   - accumulator: makes the next one of it and an element; what it throws ends the sequence.
  ///   - mapResult: called when the source completed; what it throws ends the sequence.
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

/// Gathers elements, and sends what came of them with the end.
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
  /// Answers with all elements as one array once the source completed.
  public func toArray() -> Single<[Element]> {
    Single(raw: asObservable().lift { ReduceSink($0, [], { $0.append($1) }, { $0 }) })
  }
}
