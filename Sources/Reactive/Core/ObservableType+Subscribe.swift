extension ObservableType {
  /// Calls a closure with every event.
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

  /// Calls such closures with an object that is held weakly, until that is deallocated.
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
        onNext: onNext.map { weakly(object, $0) }, onError: onError.map { weakly(object, $0) },
        onCompleted: onCompleted.map { weakly(object, $0) },
        onDisposed: onDisposed.map { weakly(object, $0) },
        site: Hooks.CallSite(fileID: fileID, line: line)))
  }
}

/// Passes an object to a closure until it is deallocated.
private func weakly<Object: AnyObject>(
  _ object: Object, _ body: @escaping (Object) -> Void
) -> () -> Void {
  { [weak object] in if let object { body(object) } }
}

/// Passes an object to a closure, beside its value, until it is deallocated.
func weakly<Object: AnyObject, Value>(
  _ object: Object, _ body: @escaping (Object, Value) -> Void
) -> (Value) -> Void {
  { [weak object] value in if let object { body(object, value) } }
}
