extension ObservableType {
  /// Drops the first elements and emits the rest.
  ///
  /// - Parameter count: how many elements are dropped; 0 or more.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    precondition(count >= 0, "skip counts elements: 0 or more.")
    return stateful(count) { remaining, element, sink in
      if remaining == 0 { sink.down.next(element) } else { remaining -= 1 }
    }
  }

  /// Drops elements while a condition holds, and emits the rest.
  ///
  /// - Parameter predicate: not called again once it returned false.
  @preconcurrency
  @inlinable
  public func skip(
    while predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    stateful(false) { isOpen, element, sink in
      if !isOpen { isOpen = try !predicate(element) }
      if isOpen { sink.down.next(element) }
    }
  }

  /// Drops elements until another sequence emits one, and emits the rest.
  ///
  /// The source is subscribed first. The other sequence's completion is ignored; its error is
  /// emitted.
  public func skip<Source: ObservableType>(until other: Source) -> Observable<Element> {
    fanIn(other.asObservable(), sideFirst: false) { SkipUntilSink($0) }
  }
}

private final class SkipUntilSink<Element, Signal>: FanInSink<Element, Signal, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private var isOpen = false

  override func receive(_ element: Element) {
    if isOpen { emit(element) }
  }

  override func receiveSide(_ element: Signal, from side: InputSink) {
    isOpen = true
    side.disposeInput()
  }
}

extension ObservableType where Element: Sendable {
  /// Drops elements for a duration, and emits the rest.
  ///
  /// - Parameters:
  ///   - duration: measured from the subscription.
  ///   - scheduler: measures the time.
  public func skip(
    _ duration: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    fanIn(Observable<Int>.timer(duration, scheduler: scheduler)) { SkipUntilSink($0) }
  }
}
