extension ObservableType {
  /// Sends the last elements once the source completed.
  ///
  /// - Parameter count: how many are kept; 0 or more.
  public func takeLast(_ count: Int) -> Observable<Element> {
    precondition(count >= 0, "takeLast counts elements: 0 or more.")
    let source = asObservable()
    return Producer { down in
      let sink = TakeLastSink(down, count)
      down.attach(sink)
      source.run(sink)
    }
  }
}

/// Keeps the last elements; its own handle stops it also while it sends them.
private final class TakeLastSink<Element>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: the handle guards itself; what is kept is only touched by what feeds the sink.
  private let down: Sink<Element>
  private let count: Int
  private let upstream = Upstream()
  private var kept: Memory<Element>

  init(_ down: Sink<Element>, _ count: Int) {
    self.down = down
    self.count = count
    kept = Memory(capacity: count)
  }

  override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) {
    if count > 0 { _ = kept.push(element) }
  }

  override func done(_ error: (any Error)?) {
    if error == nil {
      for element in kept.backlog {
        if upstream.isDisposed { return }
        down.next(element)
      }
    }
    down.done(error)
    dispose()
  }

  func dispose() { upstream.dispose() }
}
