#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A group with what home screens show beside it.
public struct GroupSummary: Hashable, Identifiable, Sendable {
  /// The group.
  public let group: TodoGroup
  /// How many items it holds, and how many of them are done.
  public let tally: Tally

  /// The group's id.
  public var id: UUID { group.id }
}
