/// Runs work at a time.
///
/// Operators that wait take one, so that a test can give them a clock of its own: see
/// ``VirtualTimeScheduler``.
public protocol SchedulerType: ImmediateSchedulerType {
  /// What its clock says.
  var now: RxTime { get }

  /// Runs an action after an interval.
  ///
  /// - Parameters:
  ///   - state: handed to the action.
  ///   - dueTime: how long to wait; 0 or less is as soon as possible, `never` is never.
  ///   - action: called once. What it returns is disposed with the result.
  /// - Returns: what keeps the action from running, or stops what it started.
  @preconcurrency
  func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable

  /// Runs an action again and again; its runs never overlap.
  ///
  /// Runs are due at whole periods after the first one, whatever time each takes: they do not
  /// drift. One that comes due while another one is busy, or that the scheduler was late for, is
  /// skipped, so that none pile up; a dispatch queue makes up for several of them by one.
  ///
  /// - Parameters:
  ///   - state: handed to the first run; each run returns the state of the next.
  ///   - startAfter: how long to wait for the first run.
  ///   - period: how long it is from one run to the next.
  ///   - action: takes a state and returns the next one.
  /// - Returns: what stops it.
  @preconcurrency
  func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable
}

extension SchedulerType {
  /// Runs an action again and again, by scheduling each run when the one before begins.
  ///
  /// A run that comes due while another one is busy is skipped.
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
  // Unchecked: state is touched by the serializer's owner alone, and due by the timer that fired, which
  // is the only one; the rest guards itself.
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
    let place = SingleAssignmentDisposable()
    timer.disposable = place
    if place.isDisposed { return }
    place.setDisposable(
      scheduler.scheduleRelative((), dueTime: dueTime) { [self] in
        tick()
        return Disposables.create()
      })
  }

  func dispose() { timer.dispose() }

  private func tick() {
    wait(intervalToNext())
    // Not in line behind a run that is busy: a slow action would be owed more and more of them.
    if serializer.tryAcquire() {
      run()
      serializer.release()
    }
  }

  /// How long it is until the next run: a whole number of periods after the first one.
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
