extension ObservableType {
  /// Emits the elements of the sequence that a closure returns for the latest element.
  ///
  /// The previous inner sequence is disposed before the next one is subscribed. It completes when
  /// the source and the last inner sequence have completed.
  @preconcurrency
  public func flatMapLatest<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    latest(of: asObservable()) { try selector($0).asObservable() }
  }
}

/// Runs the latest of the inner sequences that a selector returns.
func latest<Input, Output>(
  of source: Observable<Input>, _ selector: @escaping (Input) throws -> Observable<Output>
) -> Observable<Output> {
  source.handled { FlatMapLatestSink($0, selector) }
}

/// Runs one inner sequence at a time: the latest.
private final class FlatMapLatestSink<Input, Output>: FanInSink<Input, Output, Output>,
  @unchecked Sendable
{
  // Unchecked: as its superclass; the state is reached under the lock only.

  private struct State {
    /// The latest inner sequence; nil when it has completed.
    var current: InnerSink?
    var isOuterDone = false
  }

  private let selector: (Input) throws -> Observable<Output>
  private let lock = Locked(())
  // Reached under the lock only, which makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var state = State()
  /// Whether the selector threw; touched only by what feeds this sink.
  @exclusivity(unchecked) private var hasThrown = false

  init(_ down: Sink<Output>, _ selector: @escaping (Input) throws -> Observable<Output>) {
    self.selector = selector
    super.init(down)
  }

  override func next(_ element: Input) {
    if hasThrown || isDisposed { return }
    let inner: Observable<Output>
    do { inner = try selector(element) } catch {
      hasThrown = true
      return finishInTurn(error)
    }
    let sink = InnerSink(self)
    replaceCurrent(by: sink)
    // If this was disposed meanwhile, nothing else disposes the new inner sequence.
    if isDisposed { return replaceCurrent(by: nil) }
    inner.run(sink)
  }

  override func done(_ error: (any Error)?) {
    if let error { return finishInTurn(error) }
    let isExhausted = lock.withLock { _ in
      state.isOuterDone = true
      return state.current == nil
    }
    if isExhausted { finishInTurn(nil) }
    disposeSource()
  }

  override func receiveSide(_ element: Output, from side: InputSink) {
    // While the element waited for its turn, a later sequence may have replaced it.
    if !inner(side).handle.isDisposed { emit(element) }
  }

  override func sideDone(_ error: (any Error)?, from side: InputSink) {
    if inner(side).handle.isDisposed { return }
    if let error { return finishInTurn(error) }
    innerCompleted(inner(side))
  }

  private func inner(_ side: InputSink) -> InnerSink {
    // Safety: this class makes no other side sinks.
    unsafeDowncast(side, to: InnerSink.self)
  }

  override func didStop() {
    // The inner sequence is released outside of the lock.
    let current = lock.withLock { _ in state.current }
    current?.handle.stop()
  }

  override func didDispose() { replaceCurrent(by: nil) }

  private func replaceCurrent(by sink: InnerSink?) {
    var sink = sink
    lock.withLock { _ in swap(&state.current, &sink) }
    sink?.handle.dispose()
  }

  private func innerCompleted(_ inner: InnerSink) {
    let isExhausted = lock.withLock { _ in
      guard state.current === inner else { return false }
      state.current = nil
      return state.isOuterDone
    }
    // Not closed: its elements may still wait for their turn, and they precede any newer ones.
    inner.handle.disposeHandle()
    if isExhausted { finishInTurn(nil) }
  }

  /// Receives the events of one inner sequence, until a later one replaces it.
  private final class InnerSink: InputSink {
    let handle = SingleAssignmentHandle()

    override func attach(_ upstream: any Disposable) { handle.attach(upstream) }

    override var isDisposed: Bool { handle.isDisposed || parent.isDisposed }

    override func next(_ element: Output) {
      if !handle.isDisposed { super.next(element) }
    }
  }
}

extension ObservableType where Element: ObservableConvertibleType {
  /// Emits the elements of the latest inner sequence.
  ///
  /// The previous inner sequence is disposed before the next one is subscribed. It completes when
  /// the source and the last inner sequence have completed.
  public func switchLatest() -> Observable<Element.Element> {
    latest(of: asObservable()) { $0.asObservable() }
  }
}
