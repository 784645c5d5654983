/// Runs inner sequences made of the elements of an outer one, and sends what they send.
///
/// The selector and the subscription of an inner sequence run on the thread that sent the
/// outer element, under no lock and outside of the drain: an inner sequence that sends at once
/// is delivered at once.
final class FlattenSink<Input, Output>: Sink<Input>, Disposable, @unchecked Sendable {
  // Unchecked: isFinished is touched by the drain's owner alone, the rest guards itself.

  private struct State: ~Copyable {
    var active = 0
    var isOuterDone = false
    /// Whether somebody further up the stack, or on another thread, starts those that wait.
    var isStarting = false
    var waiting = Queue<Observable<Output>>()

    var isExhausted: Bool { isOuterDone && active == 0 && waiting.isEmpty }
  }

  private let down: Sink<Output>
  private let limit: Int
  /// Whether elements that come while so many run are dropped, rather than wait.
  private let dropsRest: Bool
  private let selector: (Input) throws -> Observable<Output>
  private let drain = Drain()
  private let handles = HandleSet()
  private let lock = Guarded(())
  // Reached under the lock only; nobody looks at it while it changes, so nothing need check.
  @exclusivity(unchecked) private var state = State()
  @exclusivity(unchecked) private var isFinished = false
  // Touched only by what feeds this sink.
  /// Names the handle of the outer sequence.
  @exclusivity(unchecked) private var outerKey: UInt64?
  /// Whether the selector threw: the end may have to wait its turn, further calls do not happen.
  @exclusivity(unchecked) private var hasThrown = false

  init(
    _ down: Sink<Output>, limit: Int, dropsRest: Bool,
    _ selector: @escaping (Input) throws -> Observable<Output>
  ) {
    self.down = down
    self.limit = limit
    self.dropsRest = dropsRest
    self.selector = selector
  }

  override func attach(_ upstream: any Disposable) { outerKey = handles.insert(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Input) {
    if hasThrown || handles.isDisposed { return }
    // Outer elements come one at a time: between this look and the start, inner ones only end.
    if dropsRest, lock.withLock({ _ in state.active == limit }) { return }
    let inner: Observable<Output>
    do { inner = try selector(element) } catch {
      hasThrown = true
      return finish(error)
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

  override func done(_ error: (any Error)?) {
    if let error { return finish(error) }
    let isExhausted = lock.withLock { _ in
      state.isOuterDone = true
      return state.isExhausted
    }
    if isExhausted { finish(nil) }
    handles.leave(outerKey)
  }

  func dispose() { handles.dispose() }

  private func start(_ inner: Observable<Output>) {
    if !handles.isDisposed { inner.run(InnerSink(self)) }
  }

  private func takeWaiting() -> Observable<Output>? {
    var inner: Observable<Output>?
    lock.withLock { _ in
      inner = state.active < limit ? state.waiting.popFirst() : nil
      if inner == nil { state.isStarting = false } else { state.active += 1 }
    }
    return inner
  }

  private func finish(_ error: (any Error)?) {
    if drain.enter() || drain.post({ self.conclude(error) }) {
      conclude(error)
      drain.leave()
    }
  }

  private func conclude(_ error: (any Error)?) {
    guard !isFinished, !handles.isDisposed else { return }
    isFinished = true
    down.done(error)
    dispose()
  }

  private func deliver(_ element: Output) {
    if !isFinished, !handles.isDisposed { down.next(element) }
  }

  /// An inner sequence completed: starts those that wait for that.
  ///
  /// They are started in a loop rather than from within each other, so that any number of them
  /// that complete at once costs no stack.
  private func innerDone() {
    var mayStart = false
    let isExhausted = lock.withLock { _ in
      state.active -= 1
      if !state.waiting.isEmpty, !state.isStarting {
        state.isStarting = true
        mayStart = true
      }
      return state.isExhausted
    }
    if isExhausted { finish(nil) }
    while mayStart, let inner = takeWaiting() { start(inner) }
  }

  /// Takes what one inner sequence sends.
  private final class InnerSink: Sink<Output> {
    private let parent: FlattenSink
    /// Names the handle among the parent's; touched only by what feeds this sink.
    @exclusivity(unchecked) private var key: UInt64?

    init(_ parent: FlattenSink) {
      self.parent = parent
    }

    override func attach(_ upstream: any Disposable) { key = parent.handles.insert(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: Output) {
      if parent.drain.enter() || parent.drain.post({ [parent] in parent.deliver(element) }) {
        parent.deliver(element)
        parent.drain.leave()
      }
    }

    override func done(_ error: (any Error)?) {
      if let error { return parent.finish(error) }
      parent.handles.leave(key)
      parent.innerDone()
    }
  }
}
