extension ObservableType {
  /// Emits the accumulated value after each element.
  ///
  /// - Parameters:
  ///   - seed: the accumulated value before the first element; not emitted.
  ///   - accumulator: updates the accumulated value by an element.
  @preconcurrency
  @inlinable
  public func scan<Result>(
    into seed: Result, accumulator: @escaping @Sendable (inout Result, Element) throws -> Void
  ) -> Observable<Result> {
    stateful(seed) { accumulated, element, sink in
      try accumulator(&accumulated, element)
      sink.down.next(accumulated)
    }
  }

  /// Emits the accumulated value after each element; a closure returns the next one.
  @preconcurrency
  @inlinable
  public func scan<Result>(
    _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    scan(into: seed) { $0 = try accumulator($0, $1) }
  }
}
