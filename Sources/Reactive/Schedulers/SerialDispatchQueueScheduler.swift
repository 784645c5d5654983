public import Dispatch

/// Runs actions on a dispatch queue, one at a time.
public class SerialDispatchQueueScheduler: SchedulerType, @unchecked Sendable {
  // Unchecked: the class is not final; its field never changes.
  let executor: DispatchExecutor

  /// Makes a scheduler on a queue that is known to be serial.
  init(serialQueue: DispatchQueue, leeway: RxTimeInterval) {
    executor = DispatchExecutor(queue: serialQueue, leeway: leeway)
  }

  /// Makes a serial queue of its own.
  ///
  /// - Parameters:
  ///   - internalSerialQueueName: the label of the queue.
  ///   - serialQueueConfiguration: called with the queue before it is used.
  ///   - leeway: how late timers may fire, to save power.
  public convenience init(
    internalSerialQueueName: String,
    serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {
    let queue = DispatchQueue(label: internalSerialQueueName)
    serialQueueConfiguration?(queue)
    self.init(serialQueue: queue, leeway: leeway)
  }

  /// Makes a serial queue on top of another one, which may be concurrent.
  ///
  /// - Parameters:
  ///   - queue: the target of the serial queue.
  ///   - internalSerialQueueName: the label of the serial queue.
  ///   - leeway: how late timers may fire, to save power.
  public convenience init(
    queue: DispatchQueue, internalSerialQueueName: String,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {
    self.init(
      serialQueue: DispatchQueue(label: internalSerialQueueName, target: queue), leeway: leeway)
  }

  /// Makes a serial queue on top of the global one of a quality of service.
  ///
  /// - Parameters:
  ///   - qos: the quality of service of the actions.
  ///   - internalSerialQueueName: the label of the serial queue.
  ///   - leeway: how late timers may fire, to save power.
  public convenience init(
    qos: DispatchQoS, internalSerialQueueName: String = "reactive.serial",
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {
    self.init(
      queue: .global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName,
      leeway: leeway)
  }

  /// The time of the machine's monotonic clock.
  public final var now: RxTime { .uptime }

  /// Runs an action on the queue.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    executor.schedule(state, action)
  }

  /// Runs an action on the queue after an interval.
  @preconcurrency
  public final func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    executor.scheduleRelative(state, dueTime: dueTime, action)
  }

  /// Runs an action on the queue periodically.
  @preconcurrency
  public final func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    executor.schedulePeriodic(state, startAfter: startAfter, period: period, action)
  }
}
