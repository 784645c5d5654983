extension ObservableType {
  /// Sends an element in place of none.
  ///
  /// - Parameter element: sent before the completion; an error is passed on without it.
  public func ifEmpty(default element: Element) -> Observable<Element> {
    asObservable().lift { ReplacingEmptySink($0, with: element) }
  }

  /// Goes on with another sequence when it completes without an element.
  ///
  /// - Parameter other: subscribed after the empty one was let go; not at all after an error.
  public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = SwitchingEmptySink(down, to: other)
      down.attach(sink)
      source.run(sink)
    }
  }
}

/// Sends an element in place of none.
private final class ReplacingEmptySink<Element>: OperatorSink<Element, Element> {
  private let replacement: Element
  /// Protected by the rule that calls never overlap.
  private var isEmpty = true

  init(_ down: Sink<Element>, with replacement: Element) {
    self.replacement = replacement
    super.init(down)
  }

  override func next(_ element: Element) {
    isEmpty = false
    down.next(element)
  }

  override func done(_ error: (any Error)?) {
    if isEmpty, error == nil { down.next(replacement) }
    finish(error)
  }
}

/// Runs another source in place of an empty one.
private final class SwitchingEmptySink<Element>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: isEmpty and other are protected by the rule that calls never overlap; the handle
  // guards itself.
  private let down: Sink<Element>
  private let handle = SerialDisposable()
  private var isEmpty = true
  /// What to go on with; nil from then on.
  private var other: Observable<Element>?

  init(_ down: Sink<Element>, to other: Observable<Element>) {
    self.down = down
    self.other = other
  }

  override func attach(_ upstream: any Disposable) { handle.disposable = upstream }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) {
    isEmpty = false
    down.next(element)
  }

  override func done(_ error: (any Error)?) {
    if isEmpty, error == nil, let next = other {
      other = nil
      // The empty one is over: its teardown comes before the other one begins.
      handle.disposable = Disposables.create()
      if !handle.isDisposed { next.run(self) }
    } else {
      down.done(error)
      dispose()
    }
  }

  func dispose() { handle.dispose() }
}
