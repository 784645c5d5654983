extension ObservableType {
  /// Emits the accumulated value after each element.
  ///
  /// - Parameters:
  ///   - seed: the accumulated value before the first element; not emitted.
  ///   - accumulator: updates the accumulated value by an element; an error that it throws ends
  ///     the sequence.
  @preconcurrency
  public func scan<Result>(
    into seed: Result, accumulator: @escaping @Sendable (inout Result, Element) throws -> Void
  ) -> Observable<Result> {
    asObservable().lift { ScanSink($0, seed, accumulator) }
  }

  /// Emits the accumulated value after each element.
  ///
  /// - Parameters:
  ///   - seed: the accumulated value before the first element; not emitted.
  ///   - accumulator: returns the next accumulated value; an error it throws ends the sequence.
  @preconcurrency
  public func scan<Result>(
    _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    asObservable().lift { ScanSink($0, seed) { $0 = try accumulator($0, $1) } }
  }
}

private final class ScanSink<Input, Output>: OperatorSink<Input, Output> {
  private let accumulate: (inout Output, Input) throws -> Void
  /// Protected by the rule that calls never overlap.
  private var accumulated: Output

  init(
    _ down: Sink<Output>, _ seed: Output,
    _ accumulate: @escaping (inout Output, Input) throws -> Void
  ) {
    self.accumulate = accumulate
    accumulated = seed
    super.init(down)
  }

  override func next(_ element: Input) {
    if isFinished { return }
    do { try accumulate(&accumulated, element) } catch { return finish(error) }
    down.next(accumulated)
  }
}
