/// The times of a subscription and of its disposal.
public struct Subscription: Hashable, Sendable {
  /// The time of the subscription, in the scheduler's units.
  public let subscribe: TestTime
  /// The time of the disposal; `TestTime.max` for a subscription that was not disposed.
  public let unsubscribe: TestTime

  /// Makes the times of a subscription, which by default is not disposed.
  public init(_ subscribe: TestTime, _ unsubscribe: TestTime = .max) {
    self.subscribe = subscribe
    self.unsubscribe = unsubscribe
  }
}

extension Subscription: CustomDebugStringConvertible {
  /// The times as text: `(200, 400)`, or `(200, ...)` before the disposal.
  public var debugDescription: String {
    "(\(subscribe), \(unsubscribe == .max ? "..." : "\(unsubscribe)"))"
  }
}
