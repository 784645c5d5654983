public import Croft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A list of items under one name: what apps call a group, a category or a list.
@Model
public struct TodoGroup: Hashable, Codable, Sendable {
  /// What the group is known by, for ever.
  @PrimaryKey public var id: UUID = .timeOrdered()
  /// Its name, which no other group has.
  public var name: String
  /// The colour it is shown in.
  public var color: RGBA = .gray
  /// Its picture, if it has one.
  public var image: GroupImage?
  /// Its order key among all groups; 0 asks for the end.
  @Indexed public var order: Int64 = 0
  /// When it was made.
  public var createdAt: Date = .now

  #Unique<TodoGroup>([\.name])
}

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
