/// Which items a list holds.
public enum ItemFilter: String, Hashable, Codable, Sendable, CaseIterable {
  /// Open and done ones.
  case all
  /// Open ones.
  case undone
  /// Done ones.
  case done

  /// Whether an item that is done, or is not, belongs to the list.
  public func includes(isDone: Bool) -> Bool {
    switch self {
    case .all: true
    case .undone: !isDone
    case .done: isDone
    }
  }
}
