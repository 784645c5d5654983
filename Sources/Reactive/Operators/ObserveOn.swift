import Synchronization

extension ObservableType where Element: Sendable {
  /// Delivers events on a scheduler, where all operators after this one run.
  ///
  /// Events keep their order and are delivered one at a time, also on a scheduler that runs several
  /// actions at once. The end is delivered after all elements. Events that still wait when the
  /// subscription is disposed are dropped.
  ///
  /// - Parameter scheduler: runs the operators after this one, and none of those before.
  public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
    handled { ObserveOnSink($0, scheduler) }
  }
}

private final class ObserveOnSink<Element: Sendable>: Sink<Element>, StoppableDisposable,
  @unchecked Sendable
{
  // Unchecked: the next stage is called by steps alone, of which one runs at a time.

  private struct State {
    var waiting: [Event<Element>] = []
    /// Whether a step is scheduled or running.
    var isScheduled = false
  }

  private let down: Sink<Element>
  private let scheduler: any ImmediateSchedulerType
  private let takesOneByOne: Bool
  private let state = Locked(State())
  private let upstream = SingleAssignmentHandle()
  private let step = SerialDisposable()
  private let isStopped = Atomic<Bool>(false)
  private let wasDisposed = Atomic<Bool>(false)

  init(_ down: Sink<Element>, _ scheduler: any ImmediateSchedulerType) {
    self.down = down
    self.scheduler = scheduler
    takesOneByOne = scheduler.schedulesEachEvent
  }

  override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) { put(.next(element)) }

  override func done(_ error: (any Error)?) {
    put(error.map { .error($0) } ?? .completed)
    upstream.dispose()
  }

  override var isDisposed: Bool {
    isStopped.load(ordering: .acquiring) || upstream.isDisposed
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    upstream.stop()
  }

  func dispose() {
    guard !wasDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    isStopped.store(true, ordering: .releasing)
    upstream.dispose()
    step.dispose()
    // Released here, and not under the lock: elements may have deinitialisers.
    _ = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  private func put(_ event: Event<Element>) {
    let mustSchedule = state.withLock { state in
      if isStopped.load(ordering: .acquiring) { return false }
      state.waiting.append(event)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule() }
  }

  private func schedule() {
    let handle = SingleAssignmentDisposable()
    step.disposable = handle
    handle.setDisposable(
      scheduler.schedule(()) { [self] in
        deliver()
        return Disposables.create()
      })
  }

  /// One step: delivers the events that wait, and schedules another step for later ones.
  private func deliver() {
    for event in takeWaiting() {
      if isStopped.load(ordering: .acquiring) { return }
      switch event {
      case .next(let element): down.next(element)
      case .error(let error): conclude(error)
      case .completed: conclude(nil)
      }
    }
    let mustSchedule = state.withLock { state in
      state.isScheduled = !state.waiting.isEmpty
      return state.isScheduled
    }
    if mustSchedule { schedule() }
  }

  private func takeWaiting() -> [Event<Element>] {
    state.withLock { state in
      if takesOneByOne, state.waiting.count > 1 { return [state.waiting.removeFirst()] }
      var taken: [Event<Element>] = []
      swap(&taken, &state.waiting)
      return taken
    }
  }

  private func conclude(_ error: (any Error)?) {
    down.done(error)
    dispose()
  }
}
