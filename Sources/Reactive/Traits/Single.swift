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
