public import Reactive

extension Event: Equatable where Element: Equatable {
  /// Whether both are the same element, the same error, or completions.
  ///
  /// Errors are the same when their type is, and they are equal; those that cannot be compared
  /// are when they describe themselves in the same way.
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
  // As any value: Foundation, where it is linked, takes every error for one that can be compared.
  let value: Any = first
  if let first = value as? any Equatable { return isEqual(first, to: second) }
  return type(of: first) == type(of: second)
    && String(reflecting: first) == String(reflecting: second)
}

private func isEqual<Value: Equatable>(_ first: Value, to second: any Error) -> Bool {
  (second as? Value) == first
}
