/// A sequence of exactly one element, or an error: the answer to a question.
///
///     func title(of id: Int) -> Single<String>
///
///     title(of: 1)
///       .subscribe(onSuccess: { show($0) }, onFailure: { report($0) })
///       .disposed(by: bag)
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// How a `Single` ends.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
  /// Takes the answer.
  public typealias SingleObserver = @Sendable (SingleEvent<Element>) -> Void

  /// Makes a single of a closure that gives an answer.
  ///
  /// The closure runs once per subscription, on the subscriber's thread. The first answer
  /// counts, whichever thread gives it; others are dropped.
  ///
  /// - Parameter subscribe: answers, then or later, from any thread, and returns what stops
  ///   that; it is disposed once, after the answer was delivered.
  @preconcurrency
  public static func create(
    subscribe: @escaping @Sendable (@escaping SingleObserver) -> any Disposable
  ) -> Single<Element> {
    Single(
      raw: .emitting { emitter in
        subscribe { event in
          switch event {
          case .success(let element): emitter.succeed(element)
          case .failure(let error): emitter.done(error)
          }
        }
      })
  }

  /// Sends one element.
  public static func just(_ element: Element) -> Single<Element> {
    Single(raw: .just(element))
  }

  /// Fails.
  public static func error(_ error: any Error) -> Single<Element> { Single(raw: .error(error)) }

  /// Never answers.
  public static func never() -> Single<Element> { Single(raw: .never()) }

  /// Calls a closure with the answer.
  ///
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(
    _ observer: @escaping @Sendable (SingleEvent<Element>) -> Void
  ) -> any Disposable {
    subscribe(onSuccess: { observer(.success($0)) }, onFailure: { observer(.failure($0)) })
  }

  /// Calls closures with the answer, and when the subscription is over.
  ///
  /// Without `onFailure` an error goes to ``Hooks/defaultErrorHandler``.
  ///
  /// - Parameters:
  ///   - onSuccess: takes the element.
  ///   - onFailure: takes the error.
  ///   - onDisposed: called once: after the answer, or when the subscription is disposed.
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(
    onSuccess: (@Sendable (Element) -> Void)? = nil,
    onFailure: (@Sendable (any Error) -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    source.subscribe(
      onNext: onSuccess, onError: onFailure, onDisposed: onDisposed, fileID: fileID, line: line)
  }

  /// Calls closures with an object that the subscription does not keep alive.
  ///
  /// Once the object is gone nothing is called any more.
  ///
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe<Object: AnyObject>(
    with object: Object,
    onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
    onFailure: (@Sendable (Object, any Error) -> Void)? = nil,
    onDisposed: (@Sendable (Object) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    source.subscribe(
      with: object, onNext: onSuccess, onError: onFailure, onDisposed: onDisposed,
      fileID: fileID, line: line)
  }
}

/// One element, or an error.
public enum SingleTrait {}

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
