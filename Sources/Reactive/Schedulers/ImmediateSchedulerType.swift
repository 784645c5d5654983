/// Runs actions at once, later, or on another thread.
///
/// Threads: actions may be scheduled from any thread, also from within an action.
public protocol ImmediateSchedulerType: Sendable {
  /// Runs an action as soon as the scheduler can.
  ///
  /// - Parameters:
  ///   - state: passed to the action.
  ///   - action: called once, perhaps before this returns, and perhaps on another thread. The
  ///     disposable that it returns is disposed with the result.
  /// - Returns: the handle that cancels the action, or disposes the disposable that it returned.
  @preconcurrency
  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable

  /// Whether `observe(on:)` schedules a step for each event; false unless a scheduler says so.
  ///
  /// Otherwise one step delivers all events that wait, which saves a queue the other steps. A
  /// virtual clock needs a step for each event, because handling it may take virtual time.
  var schedulesEachEvent: Bool { get }
}

extension ImmediateSchedulerType {
  /// False: one step delivers all events that wait.
  public var schedulesEachEvent: Bool { false }

  /// Runs an action that may schedule itself again, each time with another state.
  ///
  /// Every run is scheduled by itself, so the scheduler can run other actions in between and the
  /// stack does not grow.
  ///
  /// - Parameters:
  ///   - state: passed to the first run.
  ///   - action: takes a state, and a closure that schedules a run with the next one.
  /// - Returns: the handle that cancels the runs.
  @preconcurrency
  public func scheduleRecursive<State: Sendable>(
    _ state: State,
    action: @escaping @Sendable (_ state: State, _ recurse: (State) -> Void) -> Void
  ) -> any Disposable {
    let recursion = Recursion(scheduler: self, action)
    recursion.schedule(state)
    return recursion
  }
}

/// The runs of one recursive action.
private final class Recursion<State: Sendable>: Disposable, Sendable {
  typealias Action = @Sendable (State, (State) -> Void) -> Void

  private let scheduler: any ImmediateSchedulerType
  private let action: Action
  /// The handles of the runs that are scheduled and have not begun.
  private let runs = CompositeHandle()

  init(scheduler: any ImmediateSchedulerType, _ action: @escaping Action) {
    self.scheduler = scheduler
    self.action = action
  }

  func schedule(_ state: State) {
    let run = SingleAssignmentDisposable()
    guard let key = runs.insert(run) else { return }
    run.setDisposable(
      scheduler.schedule(state) { [self] state in
        runs.remove(key)
        if !runs.isDisposed { action(state) { self.schedule($0) } }
        return Disposables.create()
      })
  }

  func dispose() { runs.dispose() }
}

/// A scheduled action, and the handle that cancels it.
///
/// When it is disposed before it runs, it releases the action at once, even if a dispatch queue
/// still refers to the item.
final class ScheduledItem: Cancelable {
  private let work: Locked<(@Sendable () -> any Disposable)?>
  /// The disposable that the action returned.
  private let started = SingleAssignmentHandle()

  init<State: Sendable>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
    work = Locked({ action(state) })
  }

  var isDisposed: Bool { started.isDisposed }

  /// Runs the action, unless it has run or was cancelled.
  func invoke() {
    if let work = work.take() { started.attach(work()) }
  }

  func dispose() {
    _ = work.take()
    started.dispose()
  }
}
