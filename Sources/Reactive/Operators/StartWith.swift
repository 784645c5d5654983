extension ObservableType {
  /// Sends these elements first, and then subscribes the source.
  public func startWith(_ elements: Element...) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = StartWithSink(down)
      down.attach(sink)
      for element in elements {
        if sink.isDisposed { return }
        down.next(element)
      }
      if !sink.isDisposed { source.run(sink) }
    }
  }
}

/// Stands for a source that is not subscribed yet, so that the chain can be stopped before.
private final class StartWithSink<Element>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: the handle guards itself, and the stage behind is only called by the source.
  private let down: Sink<Element>
  private let upstream = Upstream()

  init(_ down: Sink<Element>) {
    self.down = down
  }

  var isDisposed: Bool { upstream.isDisposed }

  override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) { down.next(element) }

  override func done(_ error: (any Error)?) { down.done(error) }

  func dispose() { upstream.dispose() }
}
