extension ObservableType {
  /// Calls a closure with every event.
  ///
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
    asObservable().subscribe(AnyObserver(eventHandler: on))
  }

  /// Calls closures with elements, with the end, and on disposal.
  ///
  /// Without `onError` an error goes to ``Hooks/defaultErrorHandler``.
  ///
  /// - Parameters:
  ///   - onNext: called with each element.
  ///   - onError: called with the error that ended the sequence.
  ///   - onCompleted: called when the sequence completed.
  ///   - onDisposed: called once, after the end or when the subscription is disposed.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe(
    onNext: (@Sendable (Element) -> Void)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    asObservable().start(
      CallbackSink(
        onNext: onNext, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed,
        site: Hooks.CallSite(fileID: fileID, line: line)))
  }

  /// Calls closures with an object that is held weakly.
  ///
  /// They are not called after the object is deallocated.
  ///
  /// - Parameters:
  ///   - object: passed to each closure.
  ///   - onNext: called with each element.
  ///   - onError: called with the error that ended the sequence.
  ///   - onCompleted: called when the sequence completed.
  ///   - onDisposed: called once, after the end or when the subscription is disposed.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
  @preconcurrency
  public func subscribe<Object: AnyObject>(
    with object: Object,
    onNext: (@Sendable (Object, Element) -> Void)? = nil,
    onError: (@Sendable (Object, any Error) -> Void)? = nil,
    onCompleted: (@Sendable (Object) -> Void)? = nil,
    onDisposed: (@Sendable (Object) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    asObservable().start(
      CallbackSink(
        onNext: onNext.map { onNext in
          { [weak object] element in if let object { onNext(object, element) } }
        },
        onError: onError.map { onError in
          { [weak object] error in if let object { onError(object, error) } }
        },
        onCompleted: onCompleted.map { onCompleted in
          { [weak object] in if let object { onCompleted(object) } }
        },
        onDisposed: onDisposed.map { onDisposed in
          { [weak object] in if let object { onDisposed(object) } }
        },
        site: Hooks.CallSite(fileID: fileID, line: line)))
  }
}
