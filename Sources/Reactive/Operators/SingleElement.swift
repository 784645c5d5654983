extension ObservableType {
  /// Emits the element of a sequence that has exactly one.
  ///
  /// It is emitted when it arrives. The sequence fails with `RxError.noElements` when it is empty,
  /// and with `RxError.moreThanOneElement` on the second element.
  public func single() -> Observable<Element> { single { _ in true } }

  /// Emits the element that satisfies a condition, of a sequence that has exactly one such element.
  ///
  /// It is emitted when it arrives. The sequence fails with `RxError.noElements` without one, and
  /// with `RxError.moreThanOneElement` on the second one.
  ///
  /// - Parameter predicate: returns whether an element counts; an error that it throws ends the
  ///   sequence.
  @preconcurrency
  public func single(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { SingleElementSink($0, predicate) }
  }
}

private final class SingleElementSink<Element>: OperatorSink<Element, Element> {
  private let predicate: (Element) throws -> Bool
  /// Whether the element was emitted; protected by the rule that calls never overlap.
  private var hasEmitted = false

  init(_ down: Sink<Element>, _ predicate: @escaping (Element) throws -> Bool) {
    self.predicate = predicate
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    do { guard try predicate(element) else { return } } catch { return finish(error) }
    if hasEmitted { return finish(RxError.moreThanOneElement) }
    hasEmitted = true
    down.next(element)
  }

  override func done(_ error: (any Error)?) {
    finish(error ?? (hasEmitted ? nil : RxError.noElements))
  }
}

extension ObservableType {
  /// Emits the first element, or nil when the source completes without one.
  public func first() -> Single<Element?> {
    Single(raw: asObservable().lift { FirstSink($0) })
  }
}

private final class FirstSink<Element>: OperatorSink<Element, Element?> {
  override func next(_ element: Element) { emitOnce(element) }

  override func done(_ error: (any Error)?) {
    if error == nil { emitOnce(nil) } else { finish(error) }
  }

  private func emitOnce(_ element: Element?) {
    if isFinished { return }
    down.next(element)
    finish()
  }
}

extension ObservableType {
  /// Emits the element at an index and completes.
  ///
  /// It fails with `RxError.argumentOutOfRange` when the source completes before.
  ///
  /// - Parameter index: 0 or more; the first element has the index 0.
  public func element(at index: Int) -> Observable<Element> {
    precondition(index >= 0, "An index counts the elements before: 0 or more.")
    return asObservable().lift { ElementAtSink($0, index) }
  }
}

private final class ElementAtSink<Element>: OperatorSink<Element, Element> {
  /// How many elements come before it; protected by the rule that calls never overlap.
  private var remaining: Int

  init(_ down: Sink<Element>, _ index: Int) {
    remaining = index
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    guard remaining == 0 else {
      remaining -= 1
      return
    }
    down.next(element)
    finish()
  }

  override func done(_ error: (any Error)?) { finish(error ?? RxError.argumentOutOfRange) }
}
