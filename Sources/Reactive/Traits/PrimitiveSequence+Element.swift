/// A trait of sequences that can have an element: that of `Single` or of `Maybe`.
public protocol ElementTrait {}

extension PrimitiveSequence where Trait: ElementTrait {
  /// Emits one element.
  public static func just(_ element: Element) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .just(element))
  }

  /// Emits the element if it satisfies a condition, and nothing otherwise.
  @preconcurrency
  public func filter(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Maybe<Element> {
    Maybe(raw: source.filter(predicate))
  }

  /// Emits the result of a closure for the element; an error that it throws ends the sequence.
  @preconcurrency
  public func map<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> PrimitiveSequence<Trait, Result> {
    PrimitiveSequence<Trait, Result>(raw: source.map(transform))
  }

  /// Emits the result of a closure for the element, unless it is nil.
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Maybe<Result> {
    Maybe<Result>(raw: source.compactMap(transform))
  }

  /// Subscribes the sequence of the same kind that a closure returns for the element.
  @preconcurrency
  public func flatMap<Result>(
    _ selector: @escaping @Sendable (Element) throws -> PrimitiveSequence<Trait, Result>
  ) -> PrimitiveSequence<Trait, Result> {
    PrimitiveSequence<Trait, Result>(raw: source.flatMap(selector))
  }

  /// Emits an element in place of an error.
  public func catchAndReturn(_ element: Element) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: source.catchAndReturn(element))
  }

  /// The same sequence without the element.
  public func asCompletable() -> Completable {
    Completable(raw: source.compactMap { _ in nil })
  }

  /// Emits the result of a closure for the elements of all sequences, if each has one.
  ///
  /// - Parameters:
  ///   - source: two or more, subscribed in order; the first error ends the result.
  ///   - resultSelector: an error that it throws ends the result.
  @preconcurrency
  public static func zip<each Source>(
    _ source: repeat PrimitiveSequence<Trait, each Source>,
    resultSelector: @escaping @Sendable (repeat each Source) throws -> Element
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .zip(repeat (each source).source, resultSelector: resultSelector))
  }
}

extension PrimitiveSequence where Trait: ElementTrait, Element: Sendable {
  /// Emits one element, on a scheduler.
  public static func just(
    _ element: Element, scheduler: any ImmediateSchedulerType
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .just(element, scheduler: scheduler))
  }
}

extension PrimitiveSequence
where Trait: ElementTrait, Element: FixedWidthInteger & Sendable {
  /// Emits 0 after an interval.
  public static func timer(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .timer(dueTime, scheduler: scheduler))
  }
}

extension PrimitiveSequence where Trait: ElementTrait, Element == Any {
  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<each Source>(
    _ source: repeat PrimitiveSequence<Trait, each Source>
  ) -> PrimitiveSequence<Trait, (repeat each Source)> {
    PrimitiveSequence<Trait, (repeat each Source)>(
      raw: Observable<Any>.zip(repeat (each source).source))
  }
}
