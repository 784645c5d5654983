extension ObservableType {
  /// Answers with the first element, or with nil when the source completes without one.
  public func first() -> Single<Element?> {
    Single(raw: asObservable().lift { FirstSink($0) })
  }
}

private final class FirstSink<Element>: OperatorSink<Element, Element?> {
  override func next(_ element: Element) { send(element) }

  override func done(_ error: (any Error)?) {
    if error == nil { send(nil) } else { finish(error) }
  }

  private func send(_ element: Element?) {
    if isFinished { return }
    down.next(element)
    finish()
  }
}
