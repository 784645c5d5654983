extension ObservableType {
  /// Drops the first elements and emits the rest.
  ///
  /// - Parameter count: how many elements are dropped; 0 or more.
  public func skip(_ count: Int) -> Observable<Element> {
    precondition(count >= 0, "skip counts elements: 0 or more.")
    return asObservable().lift { SkipSink($0, count) }
  }
}

private final class SkipSink<Element>: OperatorSink<Element, Element> {
  /// How many elements are still dropped.
  // The rule that calls to a sink never overlap makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var remaining: Int

  init(_ down: Sink<Element>, _ count: Int) {
    remaining = count
    super.init(down)
  }

  override func next(_ element: Element) {
    if remaining == 0 { down.next(element) } else { remaining -= 1 }
  }
}

extension ObservableType {
  /// Drops elements while a condition holds, and emits the rest.
  ///
  /// - Parameter predicate: not called again once it returned false; an error that it throws ends
  ///   the sequence.
  @preconcurrency
  public func skip(
    while predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    asObservable().lift { SkipWhileSink($0, predicate) }
  }
}

private final class SkipWhileSink<Element>: OperatorSink<Element, Element> {
  private let predicate: (Element) throws -> Bool
  /// Whether the condition failed; protected by the rule that calls never overlap.
  private var isOpen = false

  init(_ down: Sink<Element>, _ predicate: @escaping (Element) throws -> Bool) {
    self.predicate = predicate
    super.init(down)
  }

  override func next(_ element: Element) {
    if isFinished { return }
    do {
      if !isOpen { isOpen = try !predicate(element) }
    } catch {
      return finish(error)
    }
    if isOpen { down.next(element) }
  }
}

extension ObservableType {
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
