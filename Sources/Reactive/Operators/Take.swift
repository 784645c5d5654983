extension ObservableType {
  /// Emits the first elements and completes with the last of them.
  ///
  /// - Parameter count: how many elements; with 0 it completes without subscribing the source.
  @inlinable
  public func take(_ count: Int) -> Observable<Element> {
    precondition(count >= 0, "take counts elements: 0 or more.")
    if count == 0 { return .empty() }
    return stateful(count) { remaining, element, sink in
      remaining -= 1
      sink.down.next(element)
      if remaining == 0 { sink.finish() }
    }
  }

  /// Emits the last elements when the source completes.
  ///
  /// - Parameter count: how many are kept; 0 or more.
  public func takeLast(_ count: Int) -> Observable<Element> {
    precondition(count >= 0, "takeLast counts elements: 0 or more.")
    return stateful(
      ReplayBuffer<Element>(capacity: count),
      completion: { kept, down in
        for element in kept.replayed {
          if down.isDisposed { return }
          down.next(element)
        }
      }
    ) { kept, element, _ in
      if count > 0 { _ = kept.append(element) }
    }
  }
}

/// Whether the element that ends a sequence is emitted.
public enum TakeBehavior: Sendable {
  /// It is emitted before the end.
  case inclusive
  /// It is dropped.
  case exclusive
}

extension ObservableType {
  /// Emits elements while a condition holds, and completes with the first one that fails it.
  ///
  /// - Parameters:
  ///   - predicate: an error that it throws ends the sequence.
  ///   - behavior: whether the first element that fails it is emitted.
  @preconcurrency
  @inlinable
  public func take(
    while predicate: @escaping @Sendable (Element) throws -> Bool,
    behavior: TakeBehavior = .exclusive
  ) -> Observable<Element> {
    stateful(()) { _, element, sink in
      let holds = try predicate(element)
      if holds || behavior == .inclusive { sink.down.next(element) }
      if !holds { sink.finish() }
    }
  }

  /// Emits elements until another sequence emits one, and then completes.
  ///
  /// The other sequence is subscribed first. Its completion is ignored; its error is emitted.
  public func take<Source: ObservableType>(until other: Source) -> Observable<Element> {
    fanIn(other.asObservable()) { TakeUntilSink($0) }
  }

  /// Emits elements until one satisfies a condition, and completes with that one.
  ///
  /// - Parameters:
  ///   - predicate: an error that it throws ends the sequence.
  ///   - behavior: whether the element that satisfies it is emitted.
  @preconcurrency
  @inlinable
  public func take(
    until predicate: @escaping @Sendable (Element) throws -> Bool,
    behavior: TakeBehavior = .exclusive
  ) -> Observable<Element> {
    take(while: { try !predicate($0) }, behavior: behavior)
  }
}

private final class TakeUntilSink<Element, Signal>: FanInSink<Element, Signal, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  override func receive(_ element: Element) { emit(element) }

  override func receiveSide(_ element: Signal, from side: InputSink) { finish(nil) }
}

extension ObservableType where Element: Sendable {
  /// Emits elements for a duration, and then completes.
  ///
  /// - Parameters:
  ///   - duration: measured from the subscription.
  ///   - scheduler: measures the time, and emits the end.
  public func take(
    for duration: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    take(until: Observable<Int>.timer(duration, scheduler: scheduler))
  }
}
