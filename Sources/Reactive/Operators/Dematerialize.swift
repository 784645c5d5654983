extension ObservableType where Element: EventConvertible {
  /// Does what the events say that are sent as elements.
  public func dematerialize() -> Observable<Element.Element> {
    asObservable().lift { DematerializeSink($0) }
  }
}

private final class DematerializeSink<Input: EventConvertible>: OperatorSink<Input, Input.Element> {
  override func next(_ element: Input) {
    if isFinished { return }
    switch element.event {
    case .next(let element): down.next(element)
    case .error(let error): finish(error)
    case .completed: finish()
    }
  }
}
