/// A scheduler with a clock, which runs actions at a time.
///
/// Operators with a timer take one, so that a test can pass them a ``VirtualTimeScheduler``.
public protocol SchedulerType: ImmediateSchedulerType {
  /// The time of its clock, which is the machine's monotonic one unless a scheduler says otherwise.
  var now: RxTime { get }

  /// Runs an action after an interval.
  ///
  /// - Parameters:
  ///   - state: passed to the action.
  ///   - dueTime: the interval; 0 or less for as soon as possible, `never` for never.
  ///   - action: called once. The disposable that it returns is disposed with the result.
  @preconcurrency
  func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable

  /// Runs an action periodically; its runs never overlap.
  ///
  /// Runs are due at whole periods after the first one, however long each takes, so they do not
  /// drift. A run that is due while another one is busy, or that the scheduler is late for, is
  /// skipped; a dispatch queue replaces several such runs by one.
  ///
  /// - Parameters:
  ///   - state: passed to the first run; each run returns the state of the next.
  ///   - startAfter: the interval before the first run.
  ///   - period: the interval from one run to the next.
  ///   - action: takes a state and returns the next one.
  /// - Returns: the handle that cancels the runs.
  @preconcurrency
  func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable
}

extension SchedulerType {
  /// The time of the machine's monotonic clock.
  public var now: RxTime { .uptime }

  /// Runs an action periodically, by scheduling each run when the one before it begins.
  ///
  /// A run that is due while another one is busy is skipped.
  @preconcurrency
  public func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    let ticker = Ticker(scheduler: self, state, period, action)
    ticker.wait(startAfter)
    return ticker
  }
}

/// The runs of one periodic action.
private final class Ticker<State: Sendable>: Disposable, @unchecked Sendable {
  // Unchecked: state is touched by the serializer's owner alone, and due by the one timer that
  // runs; the rest guards itself.
  private let scheduler: any SchedulerType
  private let period: RxTimeInterval
  private let action: @Sendable (State) -> State
  private let serializer = Serializer()
  private let timer = SerialDisposable()
  private var state: State
  /// When the next run is due.
  private var due: RxTime?

  init(
    scheduler: any SchedulerType, _ state: State, _ period: RxTimeInterval,
    _ action: @escaping @Sendable (State) -> State
  ) {
    self.scheduler = scheduler
    self.state = state
    self.period = period
    self.action = action
  }

  func wait(_ dueTime: RxTimeInterval) {
    let handle = SingleAssignmentDisposable()
    timer.disposable = handle
    if handle.isDisposed { return }
    handle.setDisposable(
      scheduler.scheduleRelative((), dueTime: dueTime) { [self] in
        tick()
        return Disposables.create()
      })
  }

  func dispose() { timer.dispose() }

  private func tick() {
    wait(intervalToNext())
    // Skipped while a run is busy: otherwise the runs of a slow action would accumulate.
    if serializer.tryAcquire() {
      run()
      serializer.release()
    }
  }

  /// The interval until the next run, which is a whole number of periods after the first one.
  private func intervalToNext() -> RxTimeInterval {
    let length = period.nanoseconds
    if period.isEndless || length <= 0 { return period }
    let now = scheduler.now
    var next = (due ?? now).advanced(by: period)
    if next <= now {
      let missed = (now.nanoseconds - next.nanoseconds) / length + 1
      next = RxTime(nanoseconds: next.nanoseconds + missed * length)
    }
    due = next
    return now.interval(until: next)
  }

  private func run() {
    if !timer.isDisposed { state = action(state) }
  }
}
