extension ObservableType {
  /// Emits the elements that satisfy a condition.
  @preconcurrency
  @inlinable
  public func filter(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { FilterSink($0, predicate) }
  }
}

// Inlinable, because allocating generic objects is only fast in code that knows their types.
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
  /// Drops all elements and emits the end alone.
  public func ignoreElements() -> Observable<Never> {
    asObservable().lift { IgnoreElementsSink($0) }
  }
}

private final class IgnoreElementsSink<Element>: OperatorSink<Element, Never> {}
