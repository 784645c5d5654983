/// A sequence without elements: work that completes, or fails.
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
  /// Takes the end.
  public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

  /// Makes a completable of a closure that says how it ends.
  ///
  /// The closure runs once per subscription, on the subscriber's thread. The first end counts;
  /// others are dropped.
  ///
  /// - Parameter subscribe: ends it, then or later, from any thread, and returns what stops
  ///   that; it is disposed once, after the end was delivered.
  @preconcurrency
  public static func create(
    subscribe: @escaping @Sendable (@escaping CompletableObserver) -> any Disposable
  ) -> Completable {
    Completable(
      raw: .emitting { emitter in
        subscribe { event in
          switch event {
          case .error(let error): emitter.done(error)
          case .completed: emitter.done(nil)
          }
        }
      })
  }

  /// Completes.
  public static func empty() -> Completable { Completable(raw: .empty()) }

  /// Fails.
  public static func error(_ error: any Error) -> Completable { Completable(raw: .error(error)) }

  /// Never ends.
  public static func never() -> Completable { Completable(raw: .never()) }

  /// Calls a closure with the end.
  ///
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(
    _ observer: @escaping @Sendable (CompletableEvent) -> Void
  ) -> any Disposable {
    subscribe(onCompleted: { observer(.completed) }, onError: { observer(.error($0)) })
  }

  /// Calls closures with the end, and when the subscription is over.
  ///
  /// Without `onError` an error goes to ``Hooks/defaultErrorHandler``.
  ///
  /// - Parameters:
  ///   - onCompleted: called when it ended well.
  ///   - onError: takes the error.
  ///   - onDisposed: called once: after the end, or when the subscription is disposed.
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(
    onCompleted: (@Sendable () -> Void)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    source.subscribe(
      onError: onError, onCompleted: onCompleted, onDisposed: onDisposed,
      fileID: fileID, line: line)
  }

  /// Calls closures with an object that the subscription does not keep alive.
  ///
  /// Once the object is gone nothing is called any more.
  ///
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe<Object: AnyObject>(
    with object: Object,
    onCompleted: (@Sendable (Object) -> Void)? = nil,
    onError: (@Sendable (Object, any Error) -> Void)? = nil,
    onDisposed: (@Sendable (Object) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    source.subscribe(
      with: object, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed,
      fileID: fileID, line: line)
  }
}

/// How a `Completable` ends.
@frozen
public enum CompletableEvent: Sendable {
  /// With an error.
  case error(any Error)
  /// Well.
  case completed
}

/// No element: a completion, or an error.
public enum CompletableTrait {}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
  /// Goes on with a single when it completed.
  public func andThen<Second>(_ second: Single<Second>) -> Single<Second> {
    Single<Second>(raw: andThen(second.source))
  }

  /// Goes on with a maybe when it completed.
  public func andThen<Second>(_ second: Maybe<Second>) -> Maybe<Second> {
    Maybe<Second>(raw: andThen(second.source))
  }

  /// Goes on with another completable when it completed.
  public func andThen(_ second: Completable) -> Completable {
    Completable(raw: andThen(second.source))
  }

  /// Goes on with a sequence when it completed.
  public func andThen<Second>(_ second: Observable<Second>) -> Observable<Second> {
    // Nothing is mapped, as there is no element: only the type changes.
    let first = source.map { never -> Second in }
    return flatten(Observable<Observable<Second>>.from([first, second]), limit: 1) { $0 }
  }

  /// Goes on with another completable when it completed.
  public func concat(_ second: Completable) -> Completable { andThen(second) }

  /// Runs them one after the other; the first error ends all.
  public static func concat<Sources: Sequence>(_ sequence: Sources) -> Completable
  where Sources.Element == Completable {
    let sources = sequence.map(\.source)
    return Completable(raw: flatten(Observable<Observable<Never>>.from(sources), limit: 1) { $0 })
  }

  /// Runs them one after the other; the first error ends all.
  public static func concat(_ sources: Completable...) -> Completable { concat(sources) }

  /// Runs all of them at a time and completes with the last; the first error ends all.
  public static func zip<Sources: Collection>(_ sources: Sources) -> Completable
  where Sources.Element == Completable {
    Completable(raw: .merge(sources.map(\.source)))
  }

  /// Runs all of them at a time and completes with the last; the first error ends all.
  public static func zip(_ sources: Completable...) -> Completable { zip(sources) }

  /// Calls closures on the way, and passes everything on unchanged.
  ///
  /// - Parameters:
  ///   - onError: before an error is passed on; what it throws takes the error's place.
  ///   - afterError: after an error was passed on.
  ///   - onCompleted: before the completion is passed on; what it throws takes its place.
  ///   - afterCompleted: after the completion was passed on.
  ///   - onSubscribe: before the source is subscribed.
  ///   - onSubscribed: after the source was subscribed.
  ///   - onDispose: once, after the source was stopped.
  @preconcurrency
  public func `do`(
    onError: (@Sendable (any Error) throws -> Void)? = nil,
    afterError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () throws -> Void)? = nil,
    afterCompleted: (@Sendable () -> Void)? = nil,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onSubscribed: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Completable {
    Completable(
      raw: source.do(
        onError: onError, afterError: afterError, onCompleted: onCompleted,
        afterCompleted: afterCompleted, onSubscribe: onSubscribe, onSubscribed: onSubscribed,
        onDispose: onDispose))
  }

  /// The same end as a maybe of any type.
  public func asMaybe<Other>() -> Maybe<Other> {
    Maybe<Other>(raw: source.map { never -> Other in })
  }
}
