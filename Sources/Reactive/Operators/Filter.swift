extension ObservableType {
  /// Sends the elements that satisfy a condition.
  ///
  /// - Parameter predicate: what it throws ends the sequence.
  @preconcurrency
  @inlinable
  public func filter(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { FilterSink($0, predicate) }
  }
}

// Inlinable up to here, because making objects is only fast where the types are known.
@usableFromInline
final class FilterSink<Element>: OperatorSink<Element, Element> {
  @usableFromInline let predicate: (Element) throws -> Bool

  @inlinable
  init(_ down: Sink<Element>, _ predicate: @escaping (Element) throws -> Bool) {
    self.predicate = predicate
    super.init(down)
  }

  @usableFromInline
  override func next(_ element: Element) {
    if isFinished { return }
    do { if try predicate(element) { down.next(element) } } catch { finish(error) }
  }
}

extension ObservableType {
  /// Drops all elements and sends the end alone.
  public func ignoreElements() -> Observable<Never> {
    asObservable().lift { IgnoreElementsSink($0) }
  }
}

private final class IgnoreElementsSink<Element>: OperatorSink<Element, Never> {}
