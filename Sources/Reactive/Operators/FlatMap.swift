extension ObservableType {
  /// Subscribes what a closure makes of each element, and sends what all of those send.
  ///
  /// It completes when the source and everything that was made of it completed; the first
  /// error ends all of it.
  ///
  /// - Parameter selector: what it throws ends the sequence.
  @preconcurrency
  public func flatMap<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    flatten(asObservable(), limit: .max) { try selector($0).asObservable() }
  }
}

/// Makes inner sequences of elements and runs up to `limit` of them at a time.
///
/// The others wait for their turn, or no sequence is made of their elements at all.
func flatten<Input, Output>(
  _ source: Observable<Input>, limit: Int, dropsRest: Bool = false,
  _ selector: @escaping (Input) throws -> Observable<Output>
) -> Observable<Output> {
  Producer { down in
    let sink = FlattenSink(down, limit: limit, dropsRest: dropsRest, selector)
    down.attach(sink)
    source.run(sink)
  }
}
