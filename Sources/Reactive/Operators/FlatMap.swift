extension ObservableType {
  /// Subscribes the sequence that a closure returns for each element, and merges all of them.
  ///
  /// It completes when the source and all inner sequences have completed; the first error ends it.
  @preconcurrency
  public func flatMap<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    flatten(asObservable(), limit: .max) { try selector($0).asObservable() }
  }
}

/// Runs up to `limit` inner sequences at a time.
///
/// Further ones wait, or with `dropsRest` are not made at all.
func flatten<Input, Output>(
  _ source: Observable<Input>, limit: Int, dropsRest: Bool = false,
  _ selector: @escaping (Input) throws -> Observable<Output>
) -> Observable<Output> {
  source.handled { FlattenSink($0, limit: limit, dropsRest: dropsRest, selector) }
}

extension ObservableType {
  /// Subscribes the sequence that a closure returns for each element, one after the other.
  ///
  /// Each is subscribed when the one before it has completed. The queue of those that wait is
  /// unbounded, and its length costs no stack.
  ///
  /// - Parameter selector: called when an element arrives, not when its sequence is subscribed.
  @preconcurrency
  public func concatMap<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    flatten(asObservable(), limit: 1) { try selector($0).asObservable() }
  }

  /// Subscribes the sequence that a closure returns for an element, and drops elements meanwhile.
  ///
  /// For example, a second tap does not submit a form twice. It completes when the source and the
  /// running inner sequence have completed; the first error ends it.
  @preconcurrency
  public func flatMapFirst<Source: ObservableConvertibleType>(
    _ selector: @escaping @Sendable (Element) throws -> Source
  ) -> Observable<Source.Element> {
    flatten(asObservable(), limit: 1, dropsRest: true) { try selector($0).asObservable() }
  }
}

/// Runs the inner sequences that a selector returns for outer elements, and emits their elements.
///
/// The selector and the subscription of an inner sequence run on the thread that emitted the
/// outer element, under no lock and outside of the serializer: the elements of an inner sequence
/// that emits during its subscription are delivered at once.
final class FlattenSink<Input, Output>: FanInSink<Input, Output, Output>, @unchecked Sendable {
  // Unchecked: as its superclass; the state is reached under the lock only.

  private struct State: ~Copyable {
    var active = 0
    var isOuterDone = false
    /// Whether a caller further up the stack, or another thread, is starting those that wait.
    var isStarting = false
    var waiting = Queue<Observable<Output>>()

    var isExhausted: Bool { isOuterDone && active == 0 && waiting.isEmpty }
  }

  private let limit: Int
  /// Whether elements that arrive while `limit` sequences run are dropped, rather than wait.
  private let dropsRest: Bool
  private let selector: (Input) throws -> Observable<Output>
  private let lock = Locked(())
  // Reached under the lock only, which makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var state = State()
  /// Whether the selector threw, and no outer element counts any more; the end may wait its turn.
  ///
  /// Touched only by what feeds this sink.
  @exclusivity(unchecked) private var hasThrown = false

  init(
    _ down: Sink<Output>, limit: Int, dropsRest: Bool,
    _ selector: @escaping (Input) throws -> Observable<Output>
  ) {
    self.limit = limit
    self.dropsRest = dropsRest
    self.selector = selector
    super.init(down)
  }

  override func next(_ element: Input) {
    if hasThrown || isDisposed { return }
    // Outer elements arrive one at a time: between this check and the start, inner ones only end.
    if dropsRest, lock.withLock({ _ in state.active == limit }) { return }
    let inner: Observable<Output>
    do { inner = try selector(element) } catch {
      hasThrown = true
      return finishInTurn(error)
    }
    let mayStart = lock.withLock { _ in
      if state.active == limit || !state.waiting.isEmpty {
        state.waiting.append(inner)
        return false
      }
      state.active += 1
      return true
    }
    if mayStart { start(inner) }
  }

  override func receiveSide(_ element: Output, from side: InputSink) { emit(element) }

  override func done(_ error: (any Error)?) {
    if let error { return finishInTurn(error) }
    let isExhausted = lock.withLock { _ in
      state.isOuterDone = true
      return state.isExhausted
    }
    if isExhausted { finishInTurn(nil) }
    disposeSource()
  }

  override func sideDone(_ error: (any Error)?, from side: InputSink) {
    if let error { return finishInTurn(error) }
    side.disposeInput()
    innerCompleted()
  }

  private func start(_ inner: Observable<Output>) {
    if !isDisposed { inner.run(SideSink(self)) }
  }

  private func takeWaiting() -> Observable<Output>? {
    var inner: Observable<Output>?
    lock.withLock { _ in
      inner = state.active < limit ? state.waiting.popFirst() : nil
      if inner == nil { state.isStarting = false } else { state.active += 1 }
    }
    return inner
  }

  /// Starts the sequences that wait, as one of those that ran has completed.
  ///
  /// They are started in a loop rather than from within each other, so that any number of them
  /// that complete at once costs no stack.
  private func innerCompleted() {
    var mayStart = false
    let isExhausted = lock.withLock { _ in
      state.active -= 1
      if !state.waiting.isEmpty, !state.isStarting {
        state.isStarting = true
        mayStart = true
      }
      return state.isExhausted
    }
    if isExhausted { finishInTurn(nil) }
    while mayStart, let inner = takeWaiting() { start(inner) }
  }
}
