extension ObservableType {
  /// Calls closures for the events, and passes these on unchanged.
  ///
  /// - Parameters:
  ///   - onNext: called before an element is passed on.
  ///   - afterNext: called after an element was passed on.
  ///   - onError: called before an error is passed on; an error it throws replaces that one.
  ///   - afterError: called after an error was passed on.
  ///   - onCompleted: called before the completion is passed on; an error it throws replaces it.
  ///   - afterCompleted: called after the completion was passed on.
  ///   - onSubscribe: called before the source is subscribed.
  ///   - onSubscribed: called after the source was subscribed.
  ///   - onDispose: called once, after `onSubscribed` and the source's teardown, and on the thread
  ///     of the later one.
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
  ) -> Observable<Element> {
    let effects = Effects(
      onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
      onCompleted: onCompleted, afterCompleted: afterCompleted)
    let source = asObservable()
    return Producer { down in
      onSubscribe?()
      let disposal = onDispose.map { DisposalHook(before: down, $0) }
      if let disposal { down.attach(disposal) }
      // The source may be disposed while it is being subscribed.
      disposal?.wait()
      source.run(DoSink(down, disposal, effects))
      onSubscribed?()
      disposal?.stopped()
    }
  }
}

private struct Effects<Element> {
  let onNext: ((Element) throws -> Void)?
  let afterNext: ((Element) throws -> Void)?
  let onError: ((any Error) throws -> Void)?
  let afterError: ((any Error) -> Void)?
  let onCompleted: (() throws -> Void)?
  let afterCompleted: (() -> Void)?
}

private final class DoSink<Element>: OperatorSink<Element, Element> {
  private let disposal: DisposalHook?
  private let effects: Effects<Element>

  init(_ down: Sink<Element>, _ disposal: DisposalHook?, _ effects: Effects<Element>) {
    self.disposal = disposal
    self.effects = effects
    super.init(down)
  }

  override func attach(_ upstream: any Disposable) {
    if let disposal { disposal.attach(upstream) } else { down.attach(upstream) }
  }

  override var disposalHook: DisposalHook? { disposal ?? down.disposalHook }

  override func next(_ element: Element) {
    if isFinished { return }
    do {
      try effects.onNext?(element)
      down.next(element)
      try effects.afterNext?(element)
    } catch {
      finish(error)
    }
  }

  override func done(_ error: (any Error)?) {
    if isDisposed { return }
    if let error {
      do { try effects.onError?(error) } catch { return finish(error) }
      finish(error)
      effects.afterError?(error)
    } else {
      do { try effects.onCompleted?() } catch { return finish(error) }
      finish()
      effects.afterCompleted?()
    }
  }
}
