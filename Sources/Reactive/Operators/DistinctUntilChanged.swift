extension ObservableType {
  /// Drops elements that are equal to the one emitted before.
  public func distinctUntilChanged() -> Observable<Element> where Element: Equatable {
    distinctUntilChanged(of: { $0 }, by: ==)
  }

  /// Drops elements whose key equals that of the element emitted before.
  ///
  /// - Parameter keySelector: an error that it throws ends the sequence.
  @preconcurrency
  public func distinctUntilChanged<Key: Equatable>(
    _ keySelector: @escaping @Sendable (Element) throws -> Key
  ) -> Observable<Element> {
    distinctUntilChanged(of: keySelector, by: ==)
  }

  /// Drops elements that a closure finds equal to the one emitted before.
  ///
  /// - Parameter comparer: an error that it throws ends the sequence.
  @preconcurrency
  public func distinctUntilChanged(
    _ comparer: @escaping @Sendable (Element, Element) throws -> Bool
  ) -> Observable<Element> {
    distinctUntilChanged(of: { $0 }, by: comparer)
  }

  /// Drops elements whose key a closure finds equal to that of the element emitted before.
  ///
  /// - Parameters:
  ///   - keySelector: an error that it throws ends the sequence.
  ///   - comparer: an error that it throws ends the sequence.
  @preconcurrency
  public func distinctUntilChanged<Key>(
    _ keySelector: @escaping @Sendable (Element) throws -> Key,
    comparer: @escaping @Sendable (Key, Key) throws -> Bool
  ) -> Observable<Element> {
    distinctUntilChanged(of: keySelector, by: comparer)
  }

  /// Drops elements whose property equals that of the element emitted before.
  public func distinctUntilChanged<Property: Equatable>(
    at keyPath: any KeyPath<Element, Property> & Sendable
  ) -> Observable<Element> {
    distinctUntilChanged(of: { $0[keyPath: keyPath] }, by: ==)
  }

  private func distinctUntilChanged<Key>(
    of key: @escaping (Element) throws -> Key, by areEqual: @escaping (Key, Key) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { DistinctUntilChangedSink($0, key, areEqual) }
  }
}

private final class DistinctUntilChangedSink<Element, Key>: OperatorSink<Element, Element> {
  private let key: (Element) throws -> Key
  private let areEqual: (Key, Key) throws -> Bool
  /// The key of the element emitted last.
  // The rule that calls to a sink never overlap makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var last: Key?

  init(
    _ down: Sink<Element>, _ key: @escaping (Element) throws -> Key,
    _ areEqual: @escaping (Key, Key) throws -> Bool
  ) {
    self.key = key
    self.areEqual = areEqual
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    do {
      let key = try key(element)
      if let last, try areEqual(last, key) { return }
      last = key
      down.next(element)
    } catch {
      finish(error)
    }
  }
}
