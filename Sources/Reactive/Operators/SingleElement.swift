extension ObservableType {
  /// Sends the one element of a sequence that has exactly one.
  ///
  /// It is sent when it comes. The sequence fails with `RxError.noElements` when none came, and
  /// with `RxError.moreThanOneElement` on the second.
  public func single() -> Observable<Element> { single { _ in true } }

  /// Sends the one element that meets a condition, of a sequence that has exactly one of those.
  ///
  /// It is sent when it comes. The sequence fails with `RxError.noElements` when none came, and
  /// with `RxError.moreThanOneElement` on the second.
  ///
  /// - Parameter predicate: says which elements count; what it throws ends the sequence.
  @preconcurrency
  public func single(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { SingleElementSink($0, predicate) }
  }
}

private final class SingleElementSink<Element>: OperatorSink<Element, Element> {
  private let predicate: (Element) throws -> Bool
  /// Whether the one was sent; protected by the rule that calls never overlap.
  private var hasSent = false

  init(_ down: Sink<Element>, _ predicate: @escaping (Element) throws -> Bool) {
    self.predicate = predicate
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    do { guard try predicate(element) else { return } } catch { return finish(error) }
    if hasSent { return finish(RxError.moreThanOneElement) }
    hasSent = true
    down.next(element)
  }

  override func done(_ error: (any Error)?) {
    finish(error ?? (hasSent ? nil : RxError.noElements))
  }
}
