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
  /// A run that comes due while another one is busy waits for it, and is not lost.
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
  // Unchecked: state is touched by the drain's owner alone, the rest guards itself.
  private let scheduler: any SchedulerType
  private let period: RxTimeInterval
  private let action: @Sendable (State) -> State
  private let drain = Drain()
  private let timer = SerialDisposable()
  private var state: State

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
    wait(period)
    if drain.enter() || drain.post({ self.run() }) {
      run()
      drain.leave()
    }
  }

  private func run() {
    if !timer.isDisposed { state = action(state) }
  }
}
