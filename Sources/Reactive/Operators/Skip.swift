extension ObservableType {
  /// Drops so many elements and sends the rest.
  ///
  /// - Parameter count: 0 or more.
  public func skip(_ count: Int) -> Observable<Element> {
    precondition(count >= 0, "skip counts elements: 0 or more.")
    return asObservable().lift { SkipSink($0, count) }
  }
}

private final class SkipSink<Element>: OperatorSink<Element, Element> {
  /// How many are still to be dropped; protected by the rule that calls never overlap.
  // So nothing need check that accesses do not overlap.
  @exclusivity(unchecked) private var remaining: Int

  init(_ down: Sink<Element>, _ count: Int) {
    remaining = count
    super.init(down)
  }

  override func next(_ element: Element) {
    if remaining == 0 { down.next(element) } else { remaining -= 1 }
  }
}
