extension ObservableType {
  /// Subscribes what a closure makes of an element, and drops all elements until that ended.
  ///
  /// It keeps a second storage from sending a form twice. It completes when the source and the
  /// running inner sequence completed; the first error ends all of it.
  ///
  /// - Parameter selector: not called for what is dropped; what it throws ends the sequence.
  @preconcurrency
  public func flatMapFirst<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    flatten(asObservable(), limit: 1, dropsRest: true) { try selector($0).asObservable() }
  }
}
