extension ObservableType {
  /// Drops elements that are equal to the one emitted before.
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> where Element: Equatable {
    distinctUntilChanged(of: { $0 }, by: ==)
  }

  /// Drops elements whose key equals that of the element emitted before.
  @preconcurrency
  @inlinable
  public func distinctUntilChanged<Key: Equatable>(
    _ keySelector: @escaping @Sendable (Element) throws -> Key
  ) -> Observable<Element> {
    distinctUntilChanged(of: keySelector, by: ==)
  }

  /// Drops elements that a closure finds equal to the one emitted before.
  @preconcurrency
  @inlinable
  public func distinctUntilChanged(
    _ comparer: @escaping @Sendable (Element, Element) throws -> Bool
  ) -> Observable<Element> {
    distinctUntilChanged(of: { $0 }, by: comparer)
  }

  /// Drops elements whose key a closure finds equal to that of the element emitted before.
  @preconcurrency
  @inlinable
  public func distinctUntilChanged<Key>(
    _ keySelector: @escaping @Sendable (Element) throws -> Key,
    comparer: @escaping @Sendable (Key, Key) throws -> Bool
  ) -> Observable<Element> {
    distinctUntilChanged(of: keySelector, by: comparer)
  }

  /// Drops elements whose property equals that of the element emitted before.
  @inlinable
  public func distinctUntilChanged<Property: Equatable>(
    at keyPath: any KeyPath<Element, Property> & Sendable
  ) -> Observable<Element> {
    distinctUntilChanged(of: { $0[keyPath: keyPath] }, by: ==)
  }

  @inlinable
  func distinctUntilChanged<Key>(
    of key: @escaping (Element) throws -> Key, by areEqual: @escaping (Key, Key) throws -> Bool
  ) -> Observable<Element> {
    stateful(Key?.none) { last, element, sink in
      let key = try key(element)
      if let last, try areEqual(last, key) { return }
      last = key
      sink.down.next(element)
    }
  }
}
