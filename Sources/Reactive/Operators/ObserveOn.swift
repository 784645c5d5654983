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

private final class ObserveOnSink<Element: Sendable>: DisposableSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: the next stage is called by steps alone, of which one runs at a time.

  private struct State {
    var waiting: [Event<Element>] = []
    /// Whether a step is scheduled or running.
    var isScheduled = false
  }

  private let scheduler: any ImmediateSchedulerType
  private let takesOneByOne: Bool
  private let state = Locked(State())
  private let step = SerialDisposable()

  init(_ down: Sink<Element>, _ scheduler: any ImmediateSchedulerType) {
    self.scheduler = scheduler
    takesOneByOne = scheduler.schedulesEachEvent
    super.init(down)
  }

  override func next(_ element: Element) { put(.next(element)) }

  override func done(_ error: (any Error)?) {
    put(error.map { .error($0) } ?? .completed)
    disposeSource()
  }

  override func didDispose() {
    step.dispose()
    // Released here, and not under the lock: elements may have deinitialisers.
    _ = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  private func put(_ event: Event<Element>) {
    let mustSchedule = state.withLock { state in
      if isDisposed { return false }
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
      if isDisposed { return }
      switch event {
      case .next(let element): emit(element)
      case .error(let error): finish(error)
      case .completed: finish(nil)
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
}
