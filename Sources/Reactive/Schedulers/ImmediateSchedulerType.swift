/// Runs work: at once, later, or elsewhere.
///
/// Threads: work may be scheduled from any thread, also from within work.
public protocol ImmediateSchedulerType: Sendable {
  /// Runs an action as soon as the scheduler can.
  ///
  /// - Parameters:
  ///   - state: handed to the action.
  ///   - action: called once, perhaps before this returns, and perhaps on another thread. What
  ///     it returns is disposed with the result.
  /// - Returns: what keeps the action from running, or stops what it started.
  @preconcurrency
  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable

  /// Whether `observe(on:)` schedules a step for each event; false unless a scheduler says so.
  ///
  /// Otherwise one step passes on all events that wait, which saves a queue as many hops. A
  /// virtual clock needs a step for each, because handling an event may take virtual time.
  var schedulesEachEvent: Bool { get }
}

extension ImmediateSchedulerType {
  /// One step for all events that wait.
  public var schedulesEachEvent: Bool { false }
}

extension ImmediateSchedulerType {
  /// Runs an action that asks to be run again, each time with a state of its choice.
  ///
  /// However often it asks, each run is scheduled anew, so the scheduler can do other work in
  /// between and the stack does not grow.
  ///
  /// - Parameters:
  ///   - state: handed to the first run.
  ///   - action: takes a state, and what to call with the next one.
  /// - Returns: what stops it.
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
  /// The runs that were asked for and have not begun.
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

/// Work that waits in a scheduler, and the handle that takes it back.
///
/// Disposed before its time, it lets go of the work at once, whatever else still refers to it.
final class ScheduledItem: Cancelable {
  private let work: Locked<(@Sendable () -> any Disposable)?>
  /// What the work started.
  private let started = SingleAssignmentHandle()

  init<State: Sendable>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
    work = Locked({ action(state) })
  }

  var isDisposed: Bool { started.isDisposed }

  /// Does the work, unless that was done or taken back.
  func invoke() {
    if let work = take() { started.attach(work()) }
  }

  func dispose() {
    // Released here, and not under the lock: what it captured may have deinitialisers.
    _ = take()
    started.dispose()
  }

  private func take() -> (@Sendable () -> any Disposable)? {
    work.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
