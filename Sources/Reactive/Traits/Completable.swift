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
