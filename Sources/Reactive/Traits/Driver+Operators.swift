extension Driver {
  /// Emits the result of a closure for each element.
  @preconcurrency
  public func map<Result: Sendable>(
    _ selector: @escaping @MainActor @Sendable (Element) -> Result
  ) -> Driver<Result> {
    Driver<Result>(source.map(onMainActor(selector)))
  }

  /// Emits the result of a closure for each element, unless it is nil.
  @preconcurrency
  public func compactMap<Result: Sendable>(
    _ selector: @escaping @MainActor @Sendable (Element) -> Result?
  ) -> Driver<Result> {
    Driver<Result>(source.compactMap(onMainActor(selector)))
  }

  /// Emits the elements that satisfy a condition.
  @preconcurrency
  public func filter(
    _ predicate: @escaping @MainActor @Sendable (Element) -> Bool
  ) -> Driver<Element> {
    Driver(source.filter(onMainActor(predicate)))
  }

  /// Emits the elements of the driver that a closure returns for the latest element.
  @preconcurrency
  public func flatMapLatest<Result>(
    _ selector: @escaping @MainActor @Sendable (Element) -> Driver<Result>
  ) -> Driver<Result> {
    Driver<Result>(source.flatMapLatest(onMainActor(selector)))
  }

  /// Emits the elements of the driver that a closure returns, and drops elements meanwhile.
  @preconcurrency
  public func flatMapFirst<Result>(
    _ selector: @escaping @MainActor @Sendable (Element) -> Driver<Result>
  ) -> Driver<Result> {
    Driver<Result>(source.flatMapFirst(onMainActor(selector)))
  }

  /// Emits the elements of the drivers that a closure returns for all elements.
  @preconcurrency
  public func flatMap<Result>(
    _ selector: @escaping @MainActor @Sendable (Element) -> Driver<Result>
  ) -> Driver<Result> {
    Driver<Result>(source.flatMap(onMainActor(selector)))
  }

  /// Calls closures for the events, and passes these on unchanged.
  ///
  /// Each is called as the closure of its name of an observable's `do`.
  @preconcurrency
  public func `do`(
    onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
    afterNext: (@MainActor @Sendable (Element) -> Void)? = nil,
    onCompleted: (@MainActor @Sendable () -> Void)? = nil,
    afterCompleted: (@MainActor @Sendable () -> Void)? = nil,
    onSubscribe: (@MainActor @Sendable () -> Void)? = nil,
    onSubscribed: (@MainActor @Sendable () -> Void)? = nil,
    onDispose: (@MainActor @Sendable () -> Void)? = nil
  ) -> Driver<Element> {
    Driver(
      source.do(
        onNext: onNext.map(onMainActor), afterNext: afterNext.map(onMainActor),
        onCompleted: onCompleted.map(runningOnMainActor),
        afterCompleted: afterCompleted.map(runningOnMainActor),
        onSubscribe: onSubscribe.map(runningOnMainActor),
        onSubscribed: onSubscribed.map(runningOnMainActor),
        onDispose: onDispose.map(runningOnMainActor)))
  }

  /// Writes every event to the debug output.
  public func debug(
    _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file,
    line: UInt = #line, function: String = #function
  ) -> Driver<Element> {
    Driver(
      source.debug(
        identifier, trimOutput: trimOutput, file: file, line: line, function: function))
  }

  /// Emits the accumulated value after each element.
  @preconcurrency
  public func scan<Result: Sendable>(
    _ seed: Result, accumulator: @escaping @MainActor @Sendable (Result, Element) -> Result
  ) -> Driver<Result> {
    Driver<Result>(source.scan(seed, accumulator: onMainActor(accumulator)))
  }

  /// Emits an element before those of the source.
  public func startWith(_ element: Element) -> Driver<Element> {
    Driver(source.startWith(element))
  }

  /// Drops the first elements.
  public func skip(_ count: Int) -> Driver<Element> { Driver(source.skip(count)) }

  /// Combines each element with the latest of another driver; drops it if there is none.
  @preconcurrency
  public func withLatestFrom<Second: Sendable, Result: Sendable>(
    _ second: Driver<Second>,
    resultSelector: @escaping @MainActor @Sendable (Element, Second) -> Result
  ) -> Driver<Result> {
    Driver<Result>(source.withLatestFrom(second, resultSelector: onMainActor(resultSelector)))
  }

  /// Emits the latest element of another driver for each element; drops it if there is none.
  public func withLatestFrom<Second: Sendable>(_ second: Driver<Second>) -> Driver<Second> {
    Driver<Second>(source.withLatestFrom(second))
  }
}

// Elements equal to the one before.
extension Driver {
  /// Drops elements whose key a closure finds equal to that of the element before.
  @preconcurrency
  public func distinctUntilChanged<Key: Sendable>(
    _ keySelector: @escaping @MainActor @Sendable (Element) -> Key,
    comparer: @escaping @MainActor @Sendable (Key, Key) -> Bool
  ) -> Driver<Element> {
    Driver(
      source.distinctUntilChanged(onMainActor(keySelector), comparer: onMainActor(comparer)))
  }

  /// Drops elements whose key is that of the element before.
  @preconcurrency
  public func distinctUntilChanged<Key: Equatable & Sendable>(
    _ keySelector: @escaping @MainActor @Sendable (Element) -> Key
  ) -> Driver<Element> {
    Driver(source.distinctUntilChanged(onMainActor(keySelector)))
  }

  /// Drops elements that a closure finds equal to the element before.
  @preconcurrency
  public func distinctUntilChanged(
    _ comparer: @escaping @MainActor @Sendable (Element, Element) -> Bool
  ) -> Driver<Element> {
    Driver(source.distinctUntilChanged(onMainActor(comparer)))
  }
}

extension Driver where Element: Equatable {
  /// Drops elements that are equal to the element before.
  public func distinctUntilChanged() -> Driver<Element> { Driver(source.distinctUntilChanged()) }
}

// Time, on the main queue unless a test says otherwise.
extension Driver {
  /// Emits the first element, and then the latest at the end of each interval.
  public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true) -> Driver<Element> {
    Driver(source.throttle(dueTime, latest: latest, scheduler: SharingScheduler.make()))
  }

  /// Emits an element once no other followed it for an interval.
  public func debounce(_ dueTime: RxTimeInterval) -> Driver<Element> {
    Driver(source.debounce(dueTime, scheduler: SharingScheduler.make()))
  }

  /// Emits the elements and the completion after a delay.
  public func delay(_ dueTime: RxTimeInterval) -> Driver<Element> {
    Driver(source.delay(dueTime, scheduler: SharingScheduler.make()))
  }

  /// Emits the elements of the latest inner driver.
  public func switchLatest<Inner>() -> Driver<Inner> where Element == Driver<Inner> {
    Driver<Inner>(source.switchLatest())
  }

  /// Merges the inner drivers: `drivers.merge()` or `drivers.merge(maxConcurrent: 4)`.
  ///
  /// This is a callable value and not a method, because with a method of that name Swift 6 cannot
  /// infer the element of `Driver.merge(a, b)`.
  public var merge: MergingDrivers<Element> { MergingDrivers(outer: self) }
}

/// Merges the inner drivers of a driver; the value of its property `merge`.
public struct MergingDrivers<Element: Sendable>: Sendable {
  fileprivate let outer: Driver<Element>

  /// Emits the elements of all inner drivers as they arrive.
  public func callAsFunction<Inner>() -> Driver<Inner> where Element == Driver<Inner> {
    Driver<Inner>(outer.source.merge())
  }

  /// Emits the elements of the inner drivers, with a limit on how many are driven at a time.
  ///
  /// - Parameter maxConcurrent: at least 1; further inner drivers wait, in order.
  public func callAsFunction<Inner>(maxConcurrent: Int) -> Driver<Inner>
  where Element == Driver<Inner> {
    Driver<Inner>(outer.source.merge(maxConcurrent: maxConcurrent))
  }
}
