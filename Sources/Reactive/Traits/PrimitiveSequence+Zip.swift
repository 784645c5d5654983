extension PrimitiveSequenceType where Trait == SingleTrait {
  /// Sends what a closure makes of the elements of all singles; the first error ends it.
  ///
  /// - Parameters:
  ///   - source: two or more, subscribed in order.
  ///   - resultSelector: what it throws becomes the answer.
  @preconcurrency
  public static func zip<each Source>(
    _ source: repeat Single<each Source>,
    resultSelector: @escaping @Sendable (repeat each Source) throws -> Element
  ) -> Single<Element> {
    Single(raw: .zip(repeat (each source).source, resultSelector: resultSelector))
  }

  /// Sends what a closure makes of the elements of all singles, in their order.
  @preconcurrency
  public static func zip<Sources: Collection, Result>(
    _ collection: Sources, resultSelector: @escaping @Sendable ([Element]) throws -> Result
  ) -> Single<Result> where Sources.Element == Single<Element> {
    if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
    return Single<Result>(
      raw: .zip(collection.map(\.source), resultSelector: resultSelector))
  }

  /// Sends the elements of all singles, in their order.
  public static func zip<Sources: Collection>(_ collection: Sources) -> Single<[Element]>
  where Sources.Element == Single<Element> {
    zip(collection) { $0 }
  }
}

extension PrimitiveSequenceType where Trait == SingleTrait, Element == Any {
  /// Sends the elements of all singles as a tuple; the first error ends it.
  public static func zip<each Source>(
    _ source: repeat Single<each Source>
  ) -> Single<(repeat each Source)> {
    Single<(repeat each Source)>(raw: Observable<Any>.zip(repeat (each source).source))
  }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
  /// Sends what a closure makes of the elements of all maybes, if each has one.
  ///
  /// - Parameters:
  ///   - source: two or more, subscribed in order.
  ///   - resultSelector: what it throws ends the sequence.
  @preconcurrency
  public static func zip<each Source>(
    _ source: repeat Maybe<each Source>,
    resultSelector: @escaping @Sendable (repeat each Source) throws -> Element
  ) -> Maybe<Element> {
    Maybe(raw: .zip(repeat (each source).source, resultSelector: resultSelector))
  }
}

extension PrimitiveSequenceType where Trait == MaybeTrait, Element == Any {
  /// Sends the elements of all maybes as a tuple, if each has one.
  public static func zip<each Source>(
    _ source: repeat Maybe<each Source>
  ) -> Maybe<(repeat each Source)> {
    Maybe<(repeat each Source)>(raw: Observable<Any>.zip(repeat (each source).source))
  }
}
