/// A sequence of one element or none, or an error.
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

extension PrimitiveSequenceType where Trait == MaybeTrait {
  /// Takes the end.
  public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

  /// Makes a maybe of a closure that says how it ends.
  ///
  /// The closure runs once per subscription, on the subscriber's thread. The first end counts,
  /// whichever thread sends it; others are dropped.
  ///
  /// - Parameter subscribe: ends it, then or later, from any thread, and returns what stops
  ///   that; it is disposed once, after the end was delivered.
  @preconcurrency
  public static func create(
    subscribe: @escaping @Sendable (@escaping MaybeObserver) -> any Disposable
  ) -> Maybe<Element> {
    Maybe(
      raw: .emitting { emitter in
        subscribe { event in
          switch event {
          case .success(let element): emitter.succeed(element)
          case .error(let error): emitter.done(error)
          case .completed: emitter.done(nil)
          }
        }
      })
  }

  /// Sends one element.
  public static func just(_ element: Element) -> Maybe<Element> { Maybe(raw: .just(element)) }

  /// Ends without an element.
  public static func empty() -> Maybe<Element> { Maybe(raw: .empty()) }

  /// Fails.
  public static func error(_ error: any Error) -> Maybe<Element> { Maybe(raw: .error(error)) }

  /// Never ends.
  public static func never() -> Maybe<Element> { Maybe(raw: .never()) }

  /// Calls a closure with the end.
  ///
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(
    _ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void
  ) -> any Disposable {
    subscribe(
      onSuccess: { observer(.success($0)) }, onError: { observer(.error($0)) },
      onCompleted: { observer(.completed) })
  }

  /// Calls closures with the end, and when the subscription is over.
  ///
  /// Without `onError` an error goes to ``Hooks/defaultErrorHandler``.
  ///
  /// - Parameters:
  ///   - onSuccess: takes the element; nothing else is called then but `onDisposed`.
  ///   - onError: takes the error.
  ///   - onCompleted: called when it ended without an element.
  ///   - onDisposed: called once: after the end, or when the subscription is disposed.
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(
    onSuccess: (@Sendable (Element) -> Void)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    optional.subscribe(
      onNext: { element in
        if let element { onSuccess?(element) } else { onCompleted?() }
      }, onError: onError, onDisposed: onDisposed, fileID: fileID, line: line)
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
    onError: (@Sendable (Object, any Error) -> Void)? = nil,
    onCompleted: (@Sendable (Object) -> Void)? = nil,
    onDisposed: (@Sendable (Object) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    optional.subscribe(
      with: object,
      onNext: { object, element in
        if let element { onSuccess?(object, element) } else { onCompleted?(object) }
      }, onError: onError, onDisposed: onDisposed, fileID: fileID, line: line)
  }

  /// One element in any case: nil for none.
  var optional: Observable<Element?> {
    source.map(Optional.some).ifEmpty(default: nil)
  }
}

/// How a `Maybe` ends.
@frozen
public enum MaybeEvent<Element> {
  /// With an element.
  case success(Element)
  /// With an error.
  case error(any Error)
  /// Without an element.
  case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}

/// One element, or none, or an error.
public enum MaybeTrait {}

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
