extension ObservableType {
  /// Sends the element of this number and completes.
  ///
  /// It fails with `RxError.argumentOutOfRange` when the source completes before.
  ///
  /// - Parameter index: 0 or more; the first element is number 0.
  public func element(at index: Int) -> Observable<Element> {
    precondition(index >= 0, "An index counts the elements before: 0 or more.")
    return asObservable().lift { ElementAtSink($0, index) }
  }
}

private final class ElementAtSink<Element>: OperatorSink<Element, Element> {
  /// How many come before; protected by the rule that calls never overlap.
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
