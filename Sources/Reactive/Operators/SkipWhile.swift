extension ObservableType {
  /// Drops elements as long as a condition holds, and sends the rest.
  ///
  /// - Parameter predicate: not asked any more once it failed; what it throws ends the sequence.
  @preconcurrency
  public func skip(
    while predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { SkipWhileSink($0, predicate) }
  }
}

private final class SkipWhileSink<Element>: OperatorSink<Element, Element> {
  private let predicate: (Element) throws -> Bool
  /// Whether the condition failed; protected by the rule that calls never overlap.
  private var isOpen = false

  init(_ down: Sink<Element>, _ predicate: @escaping (Element) throws -> Bool) {
    self.predicate = predicate
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    do {
      if !isOpen { isOpen = try !predicate(element) }
    } catch {
      return finish(error)
    }
    if isOpen { down.next(element) }
  }
}
