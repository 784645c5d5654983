extension ObservableType where Element: Sendable {
  /// Does asynchronous work for each element, and sends the result of the latest.
  ///
  ///     queries.flatMapLatest { query in try await search(query) }
  ///
  /// The task of the element before is cancelled before the next one begins, and its result is
  /// dropped.
  ///
  /// - Parameter selector: runs in a task of its own; what it throws ends the sequence.
  @preconcurrency
  @_disfavoredOverload
  public func flatMapLatest<Result: Sendable>(
    _ selector: @escaping @Sendable (Element) async throws -> Result
  ) -> Observable<Result> {
    latest(of: asObservable()) { element in
      .running { emitter in emitter.succeed(try await selector(element)) }
    }
  }
}
