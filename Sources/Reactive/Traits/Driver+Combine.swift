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
