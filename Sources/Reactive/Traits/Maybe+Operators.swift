extension PrimitiveSequenceType where Trait == MaybeTrait {
  /// Calls closures on the way, and passes everything on unchanged.
  ///
  /// - Parameters:
  ///   - onNext: before the element is passed on; what it throws ends the sequence.
  ///   - afterNext: after the element was passed on.
  ///   - onError: before an error is passed on; what it throws takes the error's place.
  ///   - afterError: after an error was passed on.
  ///   - onCompleted: before the completion is passed on; what it throws takes its place.
  ///   - afterCompleted: after the completion was passed on.
  ///   - onSubscribe: before the source is subscribed.
  ///   - onSubscribed: after the source was subscribed.
  ///   - onDispose: once, after the source was stopped.
  @preconcurrency
  public func `do`(
    onNext: (@Sendable (Element) throws -> Void)? = nil,
    afterNext: (@Sendable (Element) throws -> Void)? = nil,
    onError: (@Sendable (any Error) throws -> Void)? = nil,
    afterError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () throws -> Void)? = nil,
    afterCompleted: (@Sendable () -> Void)? = nil,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onSubscribed: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Maybe<Element> {
    Maybe(
      raw: source.do(
        onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
        onCompleted: onCompleted, afterCompleted: afterCompleted, onSubscribe: onSubscribe,
        onSubscribed: onSubscribed, onDispose: onDispose))
  }

  /// Sends the element if it satisfies a condition, and nothing otherwise.
  @preconcurrency
  public func filter(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Maybe<Element> {
    Maybe(raw: source.filter(predicate))
  }

  /// Sends what a closure makes of the element; what it throws ends the sequence.
  @preconcurrency
  public func map<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Maybe<Result> {
    Maybe<Result>(raw: source.map(transform))
  }

  /// Sends what a closure makes of the element, if that is something.
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Maybe<Result> {
    Maybe<Result>(raw: source.compactMap(transform))
  }

  /// Goes on with the maybe that a closure makes of the element.
  @preconcurrency
  public func flatMap<Result>(
    _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
  ) -> Maybe<Result> {
    Maybe<Result>(raw: source.flatMap(selector))
  }

  /// Sends another element when there is none.
  public func ifEmpty(default element: Element) -> Single<Element> {
    Single(raw: source.ifEmpty(default: element))
  }

  /// Goes on with another one when there is no element.
  public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
    Maybe(raw: source.ifEmpty(switchTo: other.source))
  }

  /// Goes on with a single when there is no element.
  public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
    Single(raw: source.ifEmpty(switchTo: other.source))
  }

  /// The same sequence; without an element it fails with `RxError.noElements`.
  public func asSingle() -> Single<Element> { source.asSingle() }

  /// Its end without the element.
  public func asCompletable() -> Completable {
    Completable(raw: source.compactMap { _ in nil })
  }
}

extension PrimitiveSequenceType where Trait == MaybeTrait, Element: Sendable {
  /// Sends one element, on a scheduler.
  public static func just(
    _ element: Element, scheduler: any ImmediateSchedulerType
  ) -> Maybe<Element> {
    Maybe(raw: .just(element, scheduler: scheduler))
  }
}

extension PrimitiveSequenceType
where Trait == MaybeTrait, Element: FixedWidthInteger & Sendable {
  /// Sends 0 after a while.
  public static func timer(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Maybe<Element> {
    Maybe(raw: .timer(dueTime, scheduler: scheduler))
  }
}
