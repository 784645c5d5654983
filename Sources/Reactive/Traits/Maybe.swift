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
