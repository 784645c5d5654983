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
