extension ObservableType {
  /// Subscribes what a closure makes of each element, one after the other.
  ///
  /// The next one is subscribed when the one before completed. The queue of those that wait has
  /// no bound, and its length costs no stack.
  ///
  /// - Parameter selector: called when an element arrives, not when its turn comes; what it
  ///   throws ends the sequence.
  @preconcurrency
  public func concatMap<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    flatten(asObservable(), limit: 1) { try selector($0).asObservable() }
  }
}
