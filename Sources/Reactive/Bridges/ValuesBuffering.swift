/// What becomes of elements that come faster than a task takes them.
public enum ValuesBuffering: Hashable, Sendable {
  /// All of them wait.
  case unbounded
  /// The newest so many wait; for a further one the oldest is dropped.
  case bufferingNewest(Int)
  /// The oldest so many wait; further ones are dropped.
  case bufferingOldest(Int)

  var isValid: Bool {
    switch self {
    case .unbounded: true
    case .bufferingNewest(let count), .bufferingOldest(let count): count >= 0
    }
  }
}
