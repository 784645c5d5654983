public import Dispatch

/// Runs actions on a dispatch queue, which may be concurrent.
///
/// The events of an observable stay serial: `observe(on:)` and all operators with a timer emit
/// one event at a time.
public final class ConcurrentDispatchQueueScheduler: SchedulerType {
  private let executor: DispatchExecutor

  /// Makes a scheduler on a queue.
  ///
  /// - Parameters:
  ///   - queue: runs the actions.
  ///   - leeway: how late timers may fire, to save power.
  public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    executor = DispatchExecutor(queue: queue, leeway: leeway)
  }

  /// Makes a concurrent queue of its own.
  ///
  /// - Parameters:
  ///   - qos: the quality of service of the actions.
  ///   - leeway: how late timers may fire, to save power.
  public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    self.init(
      queue: DispatchQueue(label: "reactive.concurrent", qos: qos, attributes: .concurrent),
      leeway: leeway)
  }

  /// The time of the machine's monotonic clock.
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

  /// Runs an action on the queue periodically; its runs do not overlap.
  @preconcurrency
  public func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    executor.schedulePeriodic(state, startAfter: startAfter, period: period, action)
  }
}
