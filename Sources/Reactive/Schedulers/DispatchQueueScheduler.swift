public import Dispatch

/// The base of the schedulers of dispatch queues: runs actions at once, later and periodically.
public class DispatchQueueScheduler: SchedulerType, @unchecked Sendable {
  // Unchecked: the class is not final; its fields never change.
  final let queue: DispatchQueue
  private let leeway: RxTimeInterval

  /// Makes a scheduler on a queue, with how late its timers may fire to save power.
  init(on queue: DispatchQueue, leeway: RxTimeInterval) {
    self.queue = queue
    self.leeway = leeway
  }

  /// Runs an action on the queue.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let item = ScheduledItem(state, action)
    queue.async { item.invoke() }
    return item
  }

  /// Runs an action on the queue after an interval.
  @preconcurrency
  public final func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
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

  /// Runs an action on the queue periodically; its runs do not overlap.
  @preconcurrency
  public final func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    if startAfter.isEndless { return Disposables.create() }
    let timer = DispatchTimer(on: queue)
    let run = PeriodicRun(state, action)
    timer.start(after: startAfter, period: period, leeway: leeway) { run.invoke() }
    return Disposables.create(run, timer)
  }
}

/// A timer that retains itself until it is disposed.
private final class DispatchTimer: Disposable, @unchecked Sendable {
  // Unchecked: dispatch sources may be used from any thread, also where their type is not Sendable.
  private let source: any DispatchSourceTimer

  init(on queue: DispatchQueue) {
    source = DispatchSource.makeTimerSource(queue: queue)
  }

  /// Starts it; the source retains its handler, which retains the source until the disposal.
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

  func dispose() { _ = action.take() }
}
