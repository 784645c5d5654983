/// Runs actions on an actor, one at a time, in the order of scheduling.
///
/// Actions are synchronous and may use `assumeIsolated` to access the actor's state. Between two
/// batches of actions the actor can do other work.
///
/// Threads: actions may be scheduled from any thread, and from within the actor; they never run
/// before `schedule` returns.
public final class ActorScheduler: SchedulerType {
  private struct State {
    var waiting: [ScheduledItem] = []
    /// Whether a task runs the actions that wait.
    var isRunning = false
  }

  private let actor: any Actor
  private let state = Locked(State())

  /// Makes a scheduler on an actor, which it retains.
  public init(_ actor: any Actor) {
    self.actor = actor
  }

  /// Runs an action on the actor.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let item = ScheduledItem(state, action)
    enqueue(item)
    return item
  }

  /// Runs an action on the actor after an interval.
  @preconcurrency
  public func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let item = ScheduledItem(state, action)
    return Disposables.create(item, afterSleep(dueTime) { self.enqueue(item) })
  }

  private func enqueue(_ item: ScheduledItem) {
    let mustStart = state.withLock { state in
      state.waiting.append(item)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    // One task at a time: two would get to the actor in any order.
    if mustStart { _ = Task.ofObservable { await self.workOff() } }
  }

  private func workOff() async {
    while let batch = takeBatch() { await invoke(batch, on: actor) }
  }

  private func takeBatch() -> [ScheduledItem]? {
    state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      guard state.isRunning else { return nil }
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  private func invoke(_ batch: [ScheduledItem], on actor: isolated any Actor) {
    for item in batch { item.invoke() }
  }
}
