import Dispatch

/// Work on a dispatch queue: at once, after a while, and again and again.
struct DispatchExecutor: Sendable {
  let queue: DispatchQueue
  /// How much later than asked timers may fire, to save power.
  let leeway: RxTimeInterval

  func schedule<State: Sendable>(
    _ state: State, _ action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let item = ScheduledItem(state, action)
    queue.async { item.invoke() }
    return item
  }

  func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    _ action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    if dueTime.isEndless { return Disposables.create() }
    let timer = DispatchTimer(on: queue)
    let item = ScheduledItem(state, action)
    timer.start(after: dueTime, period: .never, leeway: leeway) {
      timer.dispose()
      item.invoke()
    }
    return Disposables.create(item, timer)
  }

  func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    _ action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    if startAfter.isEndless { return Disposables.create() }
    let timer = DispatchTimer(on: queue)
    let run = PeriodicRun(state, action)
    timer.start(after: startAfter, period: period, leeway: leeway) { run.invoke() }
    return Disposables.create(run, timer)
  }
}

/// A timer that lives until it is disposed, even if nobody keeps it.
private final class DispatchTimer: Disposable, @unchecked Sendable {
  // Unchecked: sources may be used from any thread, they only do not say so everywhere.
  private let source: any DispatchSourceTimer

  init(on queue: DispatchQueue) {
    source = DispatchSource.makeTimerSource(queue: queue)
  }

  /// Starts it; the source holds its handler, and that holds the source until the disposal.
  func start(
    after dueTime: RxTimeInterval, period: RxTimeInterval, leeway: RxTimeInterval,
    _ handler: @escaping @Sendable () -> Void
  ) {
    source.schedule(deadline: .now() + dueTime, repeating: period, leeway: leeway)
    source.setEventHandler { [self] in withExtendedLifetime(self) { handler() } }
    source.activate()
  }

  func dispose() { source.cancel() }
}

/// The action of a periodic timer, until it is disposed.
private final class PeriodicRun<State: Sendable>: Disposable, @unchecked Sendable {
  // Unchecked: state is touched by the timer alone, whose events never overlap.
  private let action: Locked<(@Sendable (State) -> State)?>
  private var state: State

  init(_ state: State, _ action: @escaping @Sendable (State) -> State) {
    self.state = state
    self.action = Locked(action)
  }

  func invoke() {
    if let action = action.withLock({ $0 }) { state = action(state) }
  }

  func dispose() {
    // Released here, and not under the lock: what it captured may have deinitialisers.
    _ = action.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
