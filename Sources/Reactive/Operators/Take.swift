extension ObservableType {
  /// Sends so many elements and completes with the last of them.
  ///
  /// - Parameter count: 0 or more; with 0 it completes without subscribing the source.
  public func take(_ count: Int) -> Observable<Element> {
    precondition(count >= 0, "take counts elements: 0 or more.")
    return count == 0 ? .empty() : asObservable().lift { TakeSink($0, count) }
  }
}

private final class TakeSink<Element>: OperatorSink<Element, Element> {
  /// How many are still to come; protected by the rule that calls never overlap.
  // So nothing need check that accesses do not overlap.
  @exclusivity(unchecked) private var remaining: Int

  init(_ down: Sink<Element>, _ count: Int) {
    remaining = count
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    remaining -= 1
    down.next(element)
    if remaining == 0 { finish() }
  }
}
