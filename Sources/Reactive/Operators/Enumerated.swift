extension ObservableType {
  /// Sends each element with its number, which counts from 0 for every subscription.
  public func enumerated() -> Observable<(index: Int, element: Element)> {
    asObservable().lift { EnumeratedSink($0) }
  }
}

private final class EnumeratedSink<Element>: OperatorSink<Element, (index: Int, element: Element)> {
  /// The number of the next one; protected by the rule that calls never overlap.
  private var index = 0

  override func next(_ element: Element) {
    let number = index
    index += 1
    down.next((number, element))
  }
}
