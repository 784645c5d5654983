extension ObservableType {
  /// Emits the value accumulated from all elements when the source completes.
  ///
  /// - Parameters:
  ///   - seed: the accumulated value before the first element; emitted when there is none.
  ///   - accumulator: returns the next accumulated value.
  @preconcurrency
  @inlinable
  public func reduce<Result>(
    _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result> {
    reduce(seed, accumulator: accumulator) { $0 }
  }

  /// Emits the result of a closure for the value accumulated from all elements.
  ///
  /// - Parameters:
  ///   - seed: the accumulated value before the first element.
  ///   - accumulator: returns the next accumulated value.
  ///   - mapResult: called when the source completed.
  @preconcurrency
  @inlinable
  public func reduce<Accumulated, Result>(
    _ seed: Accumulated,
    accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated,
    mapResult: @escaping @Sendable (Accumulated) throws -> Result
  ) -> Observable<Result> {
    stateful(seed, completion: { $1.next(try mapResult($0)) }) { accumulated, element, _ in
      accumulated = try accumulator(accumulated, element)
    }
  }

  /// Emits all elements as one array when the source completes.
  public func toArray() -> Single<[Element]> {
    Single(
      raw: stateful([Element](), completion: { $1.next($0) }) { elements, element, _ in
        elements.append(element)
      })
  }
}
