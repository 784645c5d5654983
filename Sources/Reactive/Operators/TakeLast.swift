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

/// Keeps the last elements; it can be stopped also while it emits them.
private final class TakeLastSink<Element>: DisposableSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private let count: Int
  /// Protected by the rule that calls never overlap.
  private var kept: ReplayBuffer<Element>

  init(_ down: Sink<Element>, _ count: Int) {
    self.count = count
    kept = ReplayBuffer(capacity: count)
    super.init(down)
  }

  override func next(_ element: Element) {
    if count > 0 { _ = kept.append(element) }
  }

  override func done(_ error: (any Error)?) {
    if error == nil {
      for element in kept.replayed {
        if isDisposed { return }
        emit(element)
      }
    }
    finish(error)
  }
}
