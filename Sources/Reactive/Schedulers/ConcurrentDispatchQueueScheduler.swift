public import Dispatch

/// Runs actions on a dispatch queue, which may be concurrent.
///
/// The events of an observable stay serial: `observe(on:)` and all operators with a timer emit
/// one event at a time.
public final class ConcurrentDispatchQueueScheduler: DispatchQueueScheduler, @unchecked Sendable {
  // Unchecked: as its superclass.

  /// Makes a scheduler on a queue.
  ///
  /// - Parameters:
  ///   - queue: runs the actions.
  ///   - leeway: how late timers may fire, to save power.
  public init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    super.init(on: queue, leeway: leeway)
  }

  /// Makes a concurrent queue of its own, with the quality of service of the actions.
  public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    self.init(
      queue: DispatchQueue(label: "reactive.concurrent", qos: qos, attributes: .concurrent),
      leeway: leeway)
  }
}
