public import Reactive

/// A value recorded at a time.
public struct Recorded<Value> {
  /// The time, in the scheduler's units.
  public let time: TestTime
  /// The value.
  public let value: Value

  /// Makes a record.
  public init(time: TestTime, value: Value) {
    self.time = time
    self.value = value
  }
}

extension Recorded: Sendable where Value: Sendable {}
extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
  /// The record as text: `next(1) @ 210`.
  public var debugDescription: String { "\(value) @ \(time)" }
}

extension Recorded {
  /// An element at a time.
  public static func next<Element>(_ time: TestTime, _ element: Element) -> Recorded
  where Value == Event<Element> {
    Recorded(time: time, value: .next(element))
  }

  /// A completion at a time.
  public static func completed<Element>(
    _ time: TestTime, _ type: Element.Type = Element.self
  ) -> Recorded where Value == Event<Element> {
    Recorded(time: time, value: .completed)
  }

  /// An error at a time.
  public static func error<Element>(
    _ time: TestTime, _ error: any Error, _ type: Element.Type = Element.self
  ) -> Recorded where Value == Event<Element> {
    Recorded(time: time, value: .error(error))
  }

  /// Records of one element type, as an array.
  public static func events<Element>(_ recorded: Recorded...) -> [Recorded]
  where Value == Event<Element> {
    recorded
  }
}

extension Event: Equatable where Element: Equatable {
  /// Whether both are equal elements, equal errors, or completions.
  ///
  /// Errors are equal when they are of one type and compare equal; errors that are not `Equatable`
  /// are compared by their descriptions.
  public static func == (first: Event, second: Event) -> Bool {
    switch (first, second) {
    case (.next(let first), .next(let second)): first == second
    case (.error(let first), .error(let second)): areSame(first, second)
    case (.completed, .completed): true
    default: false
    }
  }
}

private func areSame(_ first: any Error, _ second: any Error) -> Bool {
  // As `Any`: with Foundation linked, every error converts to an Equatable type.
  let value: Any = first
  if let first = value as? any Equatable { return isEqual(first, to: second) }
  return type(of: first) == type(of: second)
    && String(reflecting: first) == String(reflecting: second)
}

private func isEqual<Value: Equatable>(_ first: Value, to second: any Error) -> Bool {
  (second as? Value) == first
}
