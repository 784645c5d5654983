/// A sequence that emits exactly one element, or fails.
///
/// ```swift
/// func title(of id: Int) -> Single<String> { .just("Book \(id)") }
///
/// title(of: 1)
///   .subscribe(onSuccess: { show($0) }, onFailure: { report($0) })
///   .disposed(by: bag)
/// ```
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// The end of a `Single`.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
  /// A closure that takes the result.
  public typealias SingleObserver = @Sendable (SingleEvent<Element>) -> Void

  /// Makes a single from a closure that reports its result.
  ///
  /// The closure runs once per subscription, on the subscriber's thread. The first result counts,
  /// whichever thread reports it; others are dropped.
  ///
  /// - Parameter subscribe: reports the result, at once or later, from any thread. The disposable
  ///   that it returns is disposed once, after the result was delivered.
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

  /// Calls a closure with the result.
  @preconcurrency
  public func subscribe(
    _ observer: @escaping @Sendable (SingleEvent<Element>) -> Void
  ) -> any Disposable {
    subscribe(onSuccess: { observer(.success($0)) }, onFailure: { observer(.failure($0)) })
  }

  /// Calls closures with the result, and on disposal.
  ///
  /// Without `onFailure` an error goes to ``Hooks/defaultErrorHandler``.
  ///
  /// - Parameters:
  ///   - onSuccess: called with the element.
  ///   - onFailure: called with the error.
  ///   - onDisposed: called once, after the result or when the subscription is disposed.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
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

  /// Calls such closures with an object that is held weakly, until that is deallocated.
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
public enum SingleTrait: ElementTrait {}

extension PrimitiveSequenceType where Trait == SingleTrait {
  /// Calls closures for the events, and passes these on unchanged.
  ///
  /// `onSuccess` and `afterSuccess` are called as `onNext` and `afterNext` of an observable's `do`,
  /// and the others as the closures of their names.
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

  /// Subscribes the maybe that a closure returns for the element.
  @preconcurrency
  public func flatMapMaybe<Result>(
    _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
  ) -> Maybe<Result> {
    Maybe<Result>(raw: source.flatMap(selector))
  }

  /// Subscribes the completable that a closure returns for the element.
  @preconcurrency
  public func flatMapCompletable(
    _ selector: @escaping @Sendable (Element) throws -> Completable
  ) -> Completable {
    Completable(raw: source.flatMap(selector))
  }

  /// The same sequence, which may be empty.
  public func asMaybe() -> Maybe<Element> { Maybe(raw: source) }
}
