extension ObservableType {
  /// Sends the elements that satisfy a condition.
  ///
  /// - Parameter predicate: what it throws ends the sequence.
  @preconcurrency
  public func filter(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { FilterSink($0, predicate) }
  }
}

private final class FilterSink<Element>: OperatorSink<Element, Element> {
  private let predicate: (Element) throws -> Bool

  init(_ down: Sink<Element>, _ predicate: @escaping (Element) throws -> Bool) {
    self.predicate = predicate
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    do { if try predicate(element) { down.next(element) } } catch { finish(error) }
  }
}
