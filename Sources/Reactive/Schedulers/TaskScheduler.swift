/// Runs each action in a task of its own.
///
/// Disposing an action cancels its task. The events of an observable stay serial: `observe(on:)`
/// and all operators with a timer emit one event at a time.
public final class TaskScheduler: SchedulerType {
  private let priority: TaskPriority?

  /// Makes a scheduler.
  ///
  /// - Parameter priority: the priority of the tasks; nil for that of the scheduling task.
  public init(priority: TaskPriority? = nil) {
    self.priority = priority
  }

  /// Runs an action in a task.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let item = ScheduledItem(state, action)
    let task = Task.ofObservable(priority: priority) { item.invoke() }
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

/// Runs a closure in a task after an interval, unless the result is disposed before.
func afterSleep(
  _ dueTime: RxTimeInterval, priority: TaskPriority? = nil,
  _ body: @escaping @Sendable () -> Void
) -> any Disposable {
  if dueTime.isEndless { return Disposables.create() }
  let task = Task.ofObservable(priority: priority) {
    // Sleep only throws when the task is cancelled, and then the body must not run.
    guard (try? await Task.sleep(for: .nanoseconds(max(0, dueTime.nanoseconds)))) != nil else {
      return
    }
    body()
  }
  return Disposables.create { task.cancel() }
}
