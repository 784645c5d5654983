/// What becomes of the element that ends a sequence.
public enum TakeBehavior: Sendable {
  /// It is sent before the end.
  case inclusive
  /// It is dropped.
  case exclusive
}

extension ObservableType {
  /// Sends elements as long as a condition holds, and completes with the first that fails it.
  ///
  /// - Parameters:
  ///   - predicate: what it throws ends the sequence.
  ///   - behavior: whether that first one is sent.
  @preconcurrency
  public func take(
    while predicate: @escaping @Sendable (Element) throws -> Bool,
    behavior: TakeBehavior = .exclusive
  ) -> Observable<Element> {
    asObservable().lift { TakeWhileSink($0, behavior, predicate) }
  }
}

/// Passes elements on while a condition holds.
final class TakeWhileSink<Element>: OperatorSink<Element, Element> {
  private let sendsLast: Bool
  private let predicate: (Element) throws -> Bool

  init(
    _ down: Sink<Element>, _ behavior: TakeBehavior,
    _ predicate: @escaping (Element) throws -> Bool
  ) {
    sendsLast = behavior == .inclusive
    self.predicate = predicate
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    let holds: Bool
    do { holds = try predicate(element) } catch { return finish(error) }
    if holds || sendsLast { down.next(element) }
    if !holds { finish() }
  }
}
