/// A sequence that emits one element, or completes without one, or fails.
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

extension PrimitiveSequenceType where Trait == MaybeTrait {
  /// A closure that takes the end.
  public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

  /// Makes a maybe from a closure that reports its end.
  ///
  /// The closure runs as that of a single.
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

  /// Ends without an element.
  public static func empty() -> Maybe<Element> { Maybe(raw: .empty()) }

  /// Calls a closure with the end.
  @preconcurrency
  public func subscribe(
    _ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void
  ) -> any Disposable {
    subscribe(
      onSuccess: { observer(.success($0)) }, onError: { observer(.error($0)) },
      onCompleted: { observer(.completed) })
  }

  /// Calls closures with the end, and on disposal.
  ///
  /// Without `onError` an error goes to ``Hooks/defaultErrorHandler``.
  ///
  /// - Parameters:
  ///   - onSuccess: called with the element; `onCompleted` is not called then.
  ///   - onError: called with the error.
  ///   - onCompleted: called when it completed without an element.
  ///   - onDisposed: called once, after the end or when the subscription is disposed.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
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

  /// Calls such closures with an object that is held weakly, until that is deallocated.
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

  /// Always one element: nil when there is none.
  var optional: Observable<Element?> {
    source.map(Optional.some).ifEmpty(default: nil)
  }
}

/// The end of a `Maybe`.
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
public enum MaybeTrait: ElementTrait {}

extension PrimitiveSequenceType where Trait == MaybeTrait {
  /// Calls closures for the events, and passes these on unchanged.
  ///
  /// Each is called as the closure of its name of an observable's `do`.
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

  /// Emits a default element when there is none.
  public func ifEmpty(default element: Element) -> Single<Element> {
    Single(raw: source.ifEmpty(default: element))
  }

  /// Subscribes another maybe when there is no element.
  public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
    Maybe(raw: source.ifEmpty(switchTo: other.source))
  }

  /// Subscribes a single when there is no element.
  public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
    Single(raw: source.ifEmpty(switchTo: other.source))
  }

  /// The same sequence, which fails with `RxError.noElements` without an element.
  public func asSingle() -> Single<Element> { source.asSingle() }
}
