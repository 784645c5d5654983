/// From when to when somebody was subscribed.
public struct Subscription: Hashable, Sendable {
  /// When it was subscribed, in the scheduler's units.
  public let subscribe: TestTime
  /// When it was disposed; the greatest number while it was not.
  public let unsubscribe: TestTime

  /// Makes a span; without an end it lasts.
  public init(_ subscribe: TestTime, _ unsubscribe: TestTime = .max) {
    self.subscribe = subscribe
    self.unsubscribe = unsubscribe
  }
}

extension Subscription: CustomDebugStringConvertible {
  /// The span in numbers: `(200, 400)`, or `(200, ...)` while it lasts.
  public var debugDescription: String {
    "(\(subscribe), \(unsubscribe == .max ? "..." : "\(unsubscribe)"))"
  }
}
