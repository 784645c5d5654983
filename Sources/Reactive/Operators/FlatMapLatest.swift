extension ObservableType {
  /// Sends what the sequence made of the latest element sends, and drops the one before.
  ///
  /// The one before is disposed before the next one is subscribed. It completes when the source
  /// and the last inner sequence completed.
  ///
  /// - Parameter selector: what it throws ends the sequence.
  @preconcurrency
  public func flatMapLatest<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    latest(of: asObservable()) { try selector($0).asObservable() }
  }
}

/// Makes inner sequences of elements and runs the latest.
func latest<Input, Output>(
  of source: Observable<Input>, _ selector: @escaping (Input) throws -> Observable<Output>
) -> Observable<Output> {
  Producer { down in
    let sink = FlatMapLatestSink(down, selector)
    down.attach(sink)
    source.run(sink)
  }
}

/// Runs one inner sequence at a time: the latest.
private final class FlatMapLatestSink<Input, Output>: Sink<Input>, Disposable,
  @unchecked Sendable
{
  // Unchecked: isFinished is touched by the drain's owner alone, the rest guards itself.

  private struct State {
    /// The inner sequence that counts; nil when it ended.
    var current: InnerSink?
    var isOuterDone = false
  }

  private let down: Sink<Output>
  private let selector: (Input) throws -> Observable<Output>
  private let drain = Drain()
  private let upstream = Upstream()
  private let lock = Guarded(())
  // Reached under the lock only; nobody looks at it while it changes, so nothing need check.
  @exclusivity(unchecked) private var state = State()
  @exclusivity(unchecked) private var isFinished = false
  /// Whether the selector threw; touched only by what feeds this sink.
  @exclusivity(unchecked) private var hasThrown = false

  init(_ down: Sink<Output>, _ selector: @escaping (Input) throws -> Observable<Output>) {
    self.down = down
    self.selector = selector
  }

  override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Input) {
    if hasThrown || upstream.isDisposed { return }
    let inner: Observable<Output>
    do { inner = try selector(element) } catch {
      hasThrown = true
      return finish(error)
    }
    let sink = InnerSink(self)
    replaceCurrent(by: sink)
    // Disposed meanwhile: then nobody will dispose this one.
    if upstream.isDisposed { return replaceCurrent(by: nil) }
    inner.run(sink)
  }

  override func done(_ error: (any Error)?) {
    if let error { return finish(error) }
    let isExhausted = lock.withLock { _ in
      state.isOuterDone = true
      return state.current == nil
    }
    if isExhausted { finish(nil) }
    upstream.release()
  }

  func dispose() {
    guard upstream.close() else { return }
    upstream.release()
    replaceCurrent(by: nil)
  }

  private func replaceCurrent(by sink: InnerSink?) {
    var sink = sink
    lock.withLock { _ in swap(&state.current, &sink) }
    sink?.handle.dispose()
  }

  private func finish(_ error: (any Error)?) {
    if drain.enter() || drain.post({ self.conclude(error) }) {
      conclude(error)
      drain.leave()
    }
  }

  private func conclude(_ error: (any Error)?) {
    guard !isFinished, !upstream.isDisposed else { return }
    isFinished = true
    down.done(error)
    dispose()
  }

  private func deliver(_ element: Output, from inner: InnerSink) {
    if !isFinished, !upstream.isDisposed, !inner.handle.isDisposed { down.next(element) }
  }

  private func innerDone(_ inner: InnerSink) {
    let isExhausted = lock.withLock { _ in
      guard state.current === inner else { return false }
      state.current = nil
      return state.isOuterDone
    }
    // Not closed: what it sent may wait for its turn still, and was sent before any newer one's.
    inner.handle.release()
    if isExhausted { finish(nil) }
  }

  /// Takes what one inner sequence sends, until a later one takes its place.
  private final class InnerSink: Sink<Output> {
    let handle = Upstream()
    private let parent: FlatMapLatestSink

    init(_ parent: FlatMapLatestSink) {
      self.parent = parent
    }

    override func attach(_ upstream: any Disposable) { handle.attach(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: Output) {
      if handle.isDisposed { return }
      if parent.drain.enter() || parent.drain.post({ self.parent.deliver(element, from: self) }) {
        parent.deliver(element, from: self)
        parent.drain.leave()
      }
    }

    override func done(_ error: (any Error)?) {
      if handle.isDisposed { return }
      if let error { parent.finish(error) } else { parent.innerDone(self) }
    }
  }
}
