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

  /// Makes a summary.
  public init(group: TodoGroup, tally: Tally) {
    self.group = group
    self.tally = tally
  }

  /// The group's id.
  public var id: UUID { group.id }
}
