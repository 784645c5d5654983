/// A sequence without elements, which completes or fails.
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
  /// A closure that takes the end.
  public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

  /// Makes a completable from a closure that reports its end.
  ///
  /// The closure runs as that of a single.
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

  /// Calls a closure with the end.
  @preconcurrency
  public func subscribe(
    _ observer: @escaping @Sendable (CompletableEvent) -> Void
  ) -> any Disposable {
    subscribe(onCompleted: { observer(.completed) }, onError: { observer(.error($0)) })
  }

  /// Calls closures with the end, and on disposal.
  ///
  /// Without `onError` an error goes to ``Hooks/defaultErrorHandler``.
  ///
  /// - Parameters:
  ///   - onCompleted: called when it completed.
  ///   - onError: called with the error.
  ///   - onDisposed: called once, after the end or when the subscription is disposed.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
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

  /// Calls such closures with an object that is held weakly, until that is deallocated.
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

/// The end of a `Completable`.
@frozen
public enum CompletableEvent: Sendable {
  /// With an error.
  case error(any Error)
  /// With its completion.
  case completed
}

/// No element: a completion, or an error.
public enum CompletableTrait {}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
  /// Subscribes a single after the completion.
  public func andThen<Second>(_ second: Single<Second>) -> Single<Second> {
    Single<Second>(raw: andThen(second.source))
  }

  /// Subscribes a maybe after the completion.
  public func andThen<Second>(_ second: Maybe<Second>) -> Maybe<Second> {
    Maybe<Second>(raw: andThen(second.source))
  }

  /// Subscribes another completable after the completion.
  public func andThen(_ second: Completable) -> Completable {
    Completable(raw: andThen(second.source))
  }

  /// Subscribes a sequence after the completion.
  public func andThen<Second>(_ second: Observable<Second>) -> Observable<Second> {
    // There is no element to map: only the type changes.
    let first = source.map { never -> Second in }
    return flatten(Observable<Observable<Second>>.from([first, second]), limit: 1) { $0 }
  }

  /// Subscribes another completable after the completion.
  public func concat(_ second: Completable) -> Completable { andThen(second) }

  /// Runs them one after the other; the first error ends all.
  public static func concat<Sources: Sequence>(_ sequence: Sources) -> Completable
  where Sources.Element == Completable {
    let sources = sequence.map(\.source)
    return Completable(raw: flatten(Observable<Observable<Never>>.from(sources), limit: 1) { $0 })
  }

  /// Runs them one after the other; the first error ends all.
  public static func concat(_ sources: Completable...) -> Completable { concat(sources) }

  /// Runs all of them at the same time and completes with the last; the first error ends all.
  public static func zip<Sources: Collection>(_ sources: Sources) -> Completable
  where Sources.Element == Completable {
    Completable(raw: .merge(sources.map(\.source)))
  }

  /// Runs all of them at the same time and completes with the last; the first error ends all.
  public static func zip(_ sources: Completable...) -> Completable { zip(sources) }

  /// Calls closures for the events, and passes these on unchanged.
  ///
  /// Each is called as the closure of its name of an observable's `do`.
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
