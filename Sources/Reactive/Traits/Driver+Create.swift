extension Driver {
  /// Completes without an element.
  public static func empty() -> Driver<Element> { Driver(.empty()) }

  /// Emits nothing and does not end.
  public static func never() -> Driver<Element> { Driver(.never()) }

  /// Emits one element and completes.
  public static func just(_ element: Element) -> Driver<Element> { Driver(.just(element)) }

  /// Emits the elements in order and completes.
  public static func of(_ elements: Element...) -> Driver<Element> { Driver(.from(elements)) }

  /// Emits the elements of an array in order and completes.
  public static func from(_ array: [Element]) -> Driver<Element> { Driver(.from(array)) }

  /// Emits the elements of a sequence in order and completes.
  @preconcurrency
  public static func from<Elements: Sequence & Sendable>(_ sequence: Elements) -> Driver<Element>
  where Elements.Element == Element {
    Driver(.from(sequence))
  }

  /// Emits the element if it is not nil, and completes.
  public static func from(optional: Element?) -> Driver<Element> {
    Driver(.from(optional: optional))
  }

  /// Makes a new driver for every subscription.
  @preconcurrency
  public static func deferred(
    _ observableFactory: @escaping @MainActor @Sendable () -> Driver<Element>
  ) -> Driver<Element> {
    Driver(.deferred { MainActor.assumeIsolated { observableFactory() }.source })
  }

  /// Emits the elements of all drivers as they arrive.
  public static func merge(_ sources: Driver<Element>...) -> Driver<Element> { merge(sources) }

  /// Emits the elements of all drivers as they arrive.
  public static func merge<Sources: Collection>(_ sources: Sources) -> Driver<Element>
  where Sources.Element == Driver<Element> {
    Driver(.merge(sources.map(\.source)))
  }

  /// Emits the elements of each driver, one driver after the other.
  public static func concat<Sources: Sequence>(_ sequence: Sources) -> Driver<Element>
  where Sources.Element == Driver<Element> {
    Driver(.concat(sequence.map(\.source)))
  }

  /// Emits the elements of each driver, one driver after the other.
  public static func concat(_ sources: Driver<Element>...) -> Driver<Element> { concat(sources) }
}

extension Driver where Element: FixedWidthInteger {
  /// Emits 0, 1, 2 and so on, one number per period, the first after one period.
  public static func interval(_ period: RxTimeInterval) -> Driver<Element> {
    Driver(.interval(period, scheduler: SharingScheduler.make()))
  }

  /// Emits 0 after an interval, and then one number per period.
  public static func timer(_ dueTime: RxTimeInterval, period: RxTimeInterval) -> Driver<Element> {
    Driver(.timer(dueTime, period: period, scheduler: SharingScheduler.make()))
  }
}

extension Driver {
  /// Emits the result of a closure for the latest elements of all drivers.
  ///
  /// - Parameters:
  ///   - driver: two or more, subscribed in order.
  ///   - resultSelector: called for each element, once all drivers have emitted one.
  @preconcurrency
  public static func combineLatest<each Source: Sendable>(
    _ driver: repeat Driver<each Source>,
    resultSelector: @escaping @MainActor @Sendable (repeat each Source) -> Element
  ) -> Driver<Element> {
    Driver(
      Observable<Any>.combineLatest(repeat (each driver).source).map { element in
        MainActor.assumeIsolated { resultSelector(repeat each element) }
      })
  }

  /// Emits the result of a closure for the first elements of all drivers, the second, and so on.
  ///
  /// - Parameters:
  ///   - driver: two or more, subscribed in order.
  ///   - resultSelector: called with one element of each.
  @preconcurrency
  public static func zip<each Source: Sendable>(
    _ driver: repeat Driver<each Source>,
    resultSelector: @escaping @MainActor @Sendable (repeat each Source) -> Element
  ) -> Driver<Element> {
    Driver(
      Observable<Any>.zip(repeat (each driver).source).map { element in
        MainActor.assumeIsolated { resultSelector(repeat each element) }
      })
  }

  /// Emits the result of a closure for the latest elements of a collection of drivers.
  @preconcurrency
  public static func combineLatest<Sources: Collection, Source: Sendable>(
    _ collection: Sources,
    resultSelector: @escaping @MainActor @Sendable ([Source]) -> Element
  ) -> Driver<Element> where Sources.Element == Driver<Source> {
    Driver(.combineLatest(collection.map(\.source), resultSelector: onMainActor(resultSelector)))
  }

  /// Emits the result of a closure for the elements of each index of a collection of drivers.
  @preconcurrency
  public static func zip<Sources: Collection, Source: Sendable>(
    _ collection: Sources,
    resultSelector: @escaping @MainActor @Sendable ([Source]) -> Element
  ) -> Driver<Element> where Sources.Element == Driver<Source> {
    Driver(.zip(collection.map(\.source), resultSelector: onMainActor(resultSelector)))
  }

  /// Emits the latest elements of all drivers, in the drivers' order.
  public static func combineLatest<Sources: Collection>(
    _ collection: Sources
  ) -> Driver<[Element]> where Sources.Element == Driver<Element> {
    Driver<[Element]>(Observable<[Element]>.combineLatest(collection.map(\.source)) { $0 })
  }

  /// Emits the elements of each index as an array, in the drivers' order.
  public static func zip<Sources: Collection>(
    _ collection: Sources
  ) -> Driver<[Element]> where Sources.Element == Driver<Element> {
    Driver<[Element]>(Observable<[Element]>.zip(collection.map(\.source)) { $0 })
  }
}

extension Driver where Element == any Sendable {
  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<each Source: Sendable>(
    _ driver: repeat Driver<each Source>
  ) -> Driver<(repeat each Source)> {
    Driver<(repeat each Source)>(Observable<Any>.combineLatest(repeat (each driver).source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<each Source: Sendable>(
    _ driver: repeat Driver<each Source>
  ) -> Driver<(repeat each Source)> {
    Driver<(repeat each Source)>(Observable<Any>.zip(repeat (each driver).source))
  }
}
