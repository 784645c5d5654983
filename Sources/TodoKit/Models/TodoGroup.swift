public import Croft
public import CroftFoundation

/// A named list of items, which other apps call a group, a category or a list.
@Model
public struct TodoGroup: Hashable, Codable, Sendable {
  /// The permanent id of the group.
  @PrimaryKey public var id: UUID = .timeOrdered()
  /// Its name, which no other group has.
  public var name: String
  /// The colour it is shown in.
  public var color: RGBA = .gray
  /// Its picture, if it has one.
  public var image: GroupImage?
  /// Its order key among all groups; a group that is added with 0 gets the last one.
  @Indexed public var order: Int64 = 0
  /// When it was made.
  public var createdAt: Date = .now

  #Unique<TodoGroup>([\.name])
  // A name that was typed is looked for in any case.
  #Index<TodoGroup>([\.name.caseFolded])
}

/// A group with its tally, as home screens show it.
public struct GroupSummary: Hashable, Identifiable, Sendable {
  /// The group.
  public let group: TodoGroup
  /// The number of its items, and of those that are done.
  public let tally: Tally

  /// Makes a summary.
  public init(group: TodoGroup, tally: Tally) {
    self.group = group
    self.tally = tally
  }

  /// The group's id.
  public var id: UUID { group.id }
}
