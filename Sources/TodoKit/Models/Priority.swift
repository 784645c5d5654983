public import Croft

/// How urgent an item is; `none` says that nobody has chosen yet, which is not the same as low.
///
/// The numbers are what the store keeps, so a case may be added and none renumbered.
public enum Priority: Int, StoredEnum, CaseIterable, Codable, Hashable, Sendable {
  /// Not chosen.
  case none
  /// Can wait.
  case low
  /// As usual.
  case normal
  /// First of all.
  case high
}

extension Priority: Comparable {
  /// Orders from `none` to `high`.
  public static func < (lhs: Priority, rhs: Priority) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}
