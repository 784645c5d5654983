public import CroftFoundation

/// Where something is put among others; neighbours are named, because indexes change.
public enum Position: Hashable, Codable, Sendable {
  /// Before all others.
  case first
  /// After all others.
  case last
  /// Directly before another.
  case before(id: UUID)
  /// Directly after another.
  case after(id: UUID)
}
