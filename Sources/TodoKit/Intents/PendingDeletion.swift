#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A deletion that waits for the user's yes: what it would delete, fixed when it was asked for.
public struct PendingDeletion: Hashable, Codable, Identifiable, Sendable {
  /// What the answer names; it is good for one answer.
  public let token: UUID
  /// The group that would go; nil where only items would.
  public let group: UUID?
  /// The items that would go, exactly.
  public let items: [UUID]
  /// What the question names: the group's name, or the items' titles, as they were.
  public let titles: [String]

  /// The token, so that a screen can show the question as an item of its own.
  public var id: UUID { token }
}
