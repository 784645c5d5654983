public import Dispatch

/// Runs work on a dispatch queue, as many pieces at a time as that runs.
///
/// Observables stay serial on it all the same: `observe(on:)` and every operator that waits
/// hand on one event at a time.
public final class ConcurrentDispatchQueueScheduler: SchedulerType {
  private let executor: DispatchExecutor

  /// Stands on a queue.
  ///
  /// - Parameters:
  ///   - queue: runs the work.
  ///   - leeway: how much later than asked timers may fire, to save power.
  public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    executor = DispatchExecutor(queue: queue, leeway: leeway)
  }

  /// Makes a concurrent queue of its own.
  ///
  /// - Parameters:
  ///   - qos: how urgent the work is.
  ///   - leeway: how much later than asked timers may fire, to save power.
  public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    self.init(
      queue: DispatchQueue(label: "reactive.concurrent", qos: qos, attributes: .concurrent),
      leeway: leeway)
  }

  /// What the clock of the machine says.
  public var now: RxTime { .uptime }

  /// Runs an action on the queue.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    executor.schedule(state, action)
  }

  /// Runs an action on the queue after an interval.
  @preconcurrency
  public func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    executor.scheduleRelative(state, dueTime: dueTime, action)
  }

  /// Runs an action on the queue again and again; its runs do not overlap.
  @preconcurrency
  public func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    executor.schedulePeriodic(state, startAfter: startAfter, period: period, action)
  }
}
