public import Dispatch

/// Runs actions on a dispatch queue, one at a time.
public class SerialDispatchQueueScheduler: DispatchQueueScheduler, @unchecked Sendable {
  // Unchecked: as its superclass.

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
    self.init(on: queue, leeway: leeway)
  }

  /// Makes a serial queue on top of another one, which may be concurrent.
  public convenience init(
    queue: DispatchQueue, internalSerialQueueName: String,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {
    self.init(on: DispatchQueue(label: internalSerialQueueName, target: queue), leeway: leeway)
  }

  /// Makes a serial queue on top of the global one of a quality of service.
  public convenience init(
    qos: DispatchQoS, internalSerialQueueName: String = "reactive.serial",
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {
    self.init(
      queue: .global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName,
      leeway: leeway)
  }
}
