extension PrimitiveSequenceType where Trait == SingleTrait {
  /// Calls closures on the way, and passes everything on unchanged.
  ///
  /// - Parameters:
  ///   - onSuccess: before the element is passed on; what it throws becomes the answer.
  ///   - afterSuccess: after the element was passed on.
  ///   - onError: before an error is passed on; what it throws takes the error's place.
  ///   - afterError: after an error was passed on.
  ///   - onSubscribe: before the source is subscribed.
  ///   - onSubscribed: after the source was subscribed.
  ///   - onDispose: once, after the source was stopped.
  @preconcurrency
  public func `do`(
    onSuccess: (@Sendable (Element) throws -> Void)? = nil,
    afterSuccess: (@Sendable (Element) throws -> Void)? = nil,
    onError: (@Sendable (any Error) throws -> Void)? = nil,
    afterError: (@Sendable (any Error) -> Void)? = nil,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onSubscribed: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Single<Element> {
    Single(
      raw: source.do(
        onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
        onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
  }

  /// Sends the element if it satisfies a condition, and nothing otherwise.
  @preconcurrency
  public func filter(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Maybe<Element> {
    Maybe(raw: source.filter(predicate))
  }

  /// Sends what a closure makes of the element; what it throws becomes the answer.
  @preconcurrency
  public func map<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Single<Result> {
    Single<Result>(raw: source.map(transform))
  }

  /// Sends what a closure makes of the element, if that is something.
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Maybe<Result> {
    Maybe<Result>(raw: source.compactMap(transform))
  }

  /// Goes on with the single that a closure makes of the element.
  @preconcurrency
  public func flatMap<Result>(
    _ selector: @escaping @Sendable (Element) throws -> Single<Result>
  ) -> Single<Result> {
    Single<Result>(raw: source.flatMap(selector))
  }

  /// Goes on with the maybe that a closure makes of the element.
  @preconcurrency
  public func flatMapMaybe<Result>(
    _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
  ) -> Maybe<Result> {
    Maybe<Result>(raw: source.flatMap(selector))
  }

  /// Goes on with the completable that a closure makes of the element.
  @preconcurrency
  public func flatMapCompletable(
    _ selector: @escaping @Sendable (Element) throws -> Completable
  ) -> Completable {
    Completable(raw: source.flatMap(selector))
  }

  /// The same sequence, allowed to be empty.
  public func asMaybe() -> Maybe<Element> { Maybe(raw: source) }

  /// Its end without the element.
  public func asCompletable() -> Completable {
    Completable(raw: source.compactMap { _ in nil })
  }
}

extension PrimitiveSequenceType where Trait == SingleTrait, Element: Sendable {
  /// Sends one element, on a scheduler.
  public static func just(
    _ element: Element, scheduler: any ImmediateSchedulerType
  ) -> Single<Element> {
    Single(raw: .just(element, scheduler: scheduler))
  }
}

extension PrimitiveSequenceType
where Trait == SingleTrait, Element: FixedWidthInteger & Sendable {
  /// Sends 0 after a while.
  public static func timer(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Single<Element> {
    Single(raw: .timer(dueTime, scheduler: scheduler))
  }
}
