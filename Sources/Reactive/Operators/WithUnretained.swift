extension ObservableType {
  /// Combines each element with an object that is held weakly; completes when it is deallocated.
  ///
  /// The completion is emitted on the first element after the deallocation.
  @preconcurrency
  @inlinable
  public func withUnretained<Object: AnyObject, Result>(
    _ object: Object, resultSelector: @escaping @Sendable (Object, Element) throws -> Result
  ) -> Observable<Result> {
    stateful(()) { [weak object] _, element, sink in
      guard let object else { return sink.finish() }
      sink.down.next(try resultSelector(object, element))
    }
  }

  /// Pairs each element with an object that is held weakly; completes when it is deallocated.
  @inlinable
  public func withUnretained<Object: AnyObject>(
    _ object: Object
  ) -> Observable<(Object, Element)> {
    withUnretained(object) { ($0, $1) }
  }
}
