extension ObservableType {
  /// Emits a default element when the source completes without one.
  ///
  /// - Parameter element: not emitted when the source fails.
  @inlinable
  public func ifEmpty(default element: Element) -> Observable<Element> {
    stateful(true, completion: { if $0 { $1.next(element) } }) { isEmpty, element, sink in
      isEmpty = false
      sink.down.next(element)
    }
  }

  /// Subscribes another sequence when the source completes without an element.
  ///
  /// - Parameter other: subscribed after the source was disposed; not subscribed after an error.
  public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
    handled { SwitchingEmptySink($0, to: other) }
  }
}

/// Runs another source in place of an empty one.
private final class SwitchingEmptySink<Element>: DisposableSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass; the rest is protected by the rule that calls never overlap.
  private var isEmpty = true
  /// The other sequence; nil once it was subscribed.
  private var other: Observable<Element>?

  init(_ down: Sink<Element>, to other: Observable<Element>) {
    self.other = other
    super.init(down)
  }

  override func next(_ element: Element) {
    isEmpty = false
    emit(element)
  }

  override func done(_ error: (any Error)?) {
    guard isEmpty, error == nil, let next = other else { return finish(error) }
    other = nil
    // The empty one is disposed before the other one begins.
    disposeSource()
    if !isDisposed { next.run(self) }
  }
}
