/// Runs each piece of work in a task of its own, as many at a time as the machine has room for.
///
/// Taking work back cancels its task. Observables stay serial on it all the same:
/// `observe(on:)` and every operator that waits hand on one event at a time.
public final class TaskScheduler: SchedulerType {
  private let priority: TaskPriority?

  /// Makes a scheduler.
  ///
  /// - Parameter priority: the tasks'; nil for that of whoever schedules.
  public init(priority: TaskPriority? = nil) {
    self.priority = priority
  }

  /// What the clock of the machine says.
  public var now: RxTime { .uptime }

  /// Runs an action in a task.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let item = ScheduledItem(state, action)
    let task = Task(priority: priority) { item.invoke() }
    return Disposables.create(item, Disposables.create { task.cancel() })
  }

  /// Runs an action in a task after an interval.
  @preconcurrency
  public func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let item = ScheduledItem(state, action)
    return Disposables.create(item, afterSleep(dueTime, priority: priority) { item.invoke() })
  }
}

/// Does something in a task after an interval, unless the result is disposed before.
func afterSleep(
  _ dueTime: RxTimeInterval, priority: TaskPriority? = nil,
  _ body: @escaping @Sendable () -> Void
) -> any Disposable {
  if dueTime.isEndless { return Disposables.create() }
  let task = Task(priority: priority) {
    // Sleep only fails when the task is cancelled, and then nobody wants the body any more.
    guard (try? await Task.sleep(for: .nanoseconds(max(0, dueTime.nanoseconds)))) != nil else {
      return
    }
    body()
  }
  return Disposables.create { task.cancel() }
}
