extension Driver {
  /// Completes without an element.
  public static func empty() -> Driver<Element> { Driver(.empty()) }

  /// Never sends anything.
  public static func never() -> Driver<Element> { Driver(.never()) }

  /// Sends one element and completes.
  public static func just(_ element: Element) -> Driver<Element> { Driver(.just(element)) }

  /// Sends these elements in order and completes.
  public static func of(_ elements: Element...) -> Driver<Element> { Driver(.from(elements)) }

  /// Sends the elements of an array in order and completes.
  public static func from(_ array: [Element]) -> Driver<Element> { Driver(.from(array)) }

  /// Sends the elements of a sequence in order and completes.
  @preconcurrency
  public static func from<Elements: Sequence & Sendable>(_ sequence: Elements) -> Driver<Element>
  where Elements.Element == Element {
    Driver(.from(sequence))
  }

  /// Sends the element if there is one, and completes.
  public static func from(optional: Element?) -> Driver<Element> {
    Driver(.from(optional: optional))
  }

  /// Makes the driver anew for every subscription.
  @preconcurrency
  public static func deferred(
    _ observableFactory: @escaping @MainActor @Sendable () -> Driver<Element>
  ) -> Driver<Element> {
    Driver(.deferred { MainActor.assumeIsolated { observableFactory() }.source })
  }

  /// Sends what all of the drivers send, as it comes.
  public static func merge(_ sources: Driver<Element>...) -> Driver<Element> { merge(sources) }

  /// Sends what all of the drivers send, as it comes.
  public static func merge<Sources: Collection>(_ sources: Sources) -> Driver<Element>
  where Sources.Element == Driver<Element> {
    Driver(.merge(sources.map(\.source)))
  }

  /// Sends what the drivers send, one after the other.
  public static func concat<Sources: Sequence>(_ sequence: Sources) -> Driver<Element>
  where Sources.Element == Driver<Element> {
    Driver(.concat(sequence.map(\.source)))
  }

  /// Sends what the drivers send, one after the other.
  public static func concat(_ sources: Driver<Element>...) -> Driver<Element> { concat(sources) }
}

extension Driver where Element: FixedWidthInteger {
  /// Sends 0, 1, 2 and so on, one per period, the first after one period.
  public static func interval(_ period: RxTimeInterval) -> Driver<Element> {
    Driver(.interval(period, scheduler: SharingScheduler.make()))
  }

  /// Sends 0 after a while, and then goes on counting, one per period.
  public static func timer(_ dueTime: RxTimeInterval, period: RxTimeInterval) -> Driver<Element> {
    Driver(.timer(dueTime, period: period, scheduler: SharingScheduler.make()))
  }
}

extension Driver {
  /// Sends what a closure makes of the latest element of each driver.
  ///
  /// - Parameters:
  ///   - driver: two or more, subscribed in order.
  ///   - resultSelector: called once all of them sent something, and then per element.
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

  /// Sends what a closure makes of the first elements of each driver, then of the second, and so on.
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

  /// Sends what a closure makes of the latest element of each driver.
  ///
  /// - Parameters:
  ///   - collection: the drivers, subscribed in order.
  ///   - resultSelector: called once all of them sent something, and then per element.
  @preconcurrency
  public static func combineLatest<Sources: Collection, Source: Sendable>(
    _ collection: Sources,
    resultSelector: @escaping @MainActor @Sendable ([Source]) -> Element
  ) -> Driver<Element> where Sources.Element == Driver<Source> {
    Driver(.combineLatest(collection.map(\.source), resultSelector: onMainActor(resultSelector)))
  }

  /// Sends what a closure makes of the first elements of each driver, then of the second, and so on.
  ///
  /// - Parameters:
  ///   - collection: the drivers, subscribed in order.
  ///   - resultSelector: called with one element of each.
  @preconcurrency
  public static func zip<Sources: Collection, Source: Sendable>(
    _ collection: Sources,
    resultSelector: @escaping @MainActor @Sendable ([Source]) -> Element
  ) -> Driver<Element> where Sources.Element == Driver<Source> {
    Driver(.zip(collection.map(\.source), resultSelector: onMainActor(resultSelector)))
  }

  /// Sends the latest element of each driver, in the drivers' order.
  public static func combineLatest<Sources: Collection>(
    _ collection: Sources
  ) -> Driver<[Element]> where Sources.Element == Driver<Element> {
    Driver<[Element]>(Observable<[Element]>.combineLatest(collection.map(\.source)) { $0 })
  }

  /// Sends the elements of one number, in the drivers' order.
  public static func zip<Sources: Collection>(
    _ collection: Sources
  ) -> Driver<[Element]> where Sources.Element == Driver<Element> {
    Driver<[Element]>(Observable<[Element]>.zip(collection.map(\.source)) { $0 })
  }
}

extension Driver where Element == any Sendable {
  /// Sends the latest element of each driver as a tuple.
  public static func combineLatest<each Source: Sendable>(
    _ driver: repeat Driver<each Source>
  ) -> Driver<(repeat each Source)> {
    Driver<(repeat each Source)>(
      Observable<Any>.combineLatest(repeat (each driver).source))
  }

  /// Sends the elements of one number as a tuple.
  public static func zip<each Source: Sendable>(
    _ driver: repeat Driver<each Source>
  ) -> Driver<(repeat each Source)> {
    Driver<(repeat each Source)>(Observable<Any>.zip(repeat (each driver).source))
  }
}
