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

extension TodoGroup {
  /// The group without its picture, for lists that do not draw it.
  package var withoutPicture: TodoGroup {
    var group = self
    group.image = nil
    return group
  }
}

/// A group with its tally, as home screens show it.
public struct GroupSummary: Hashable, Identifiable, Sendable {
  /// The group.
  public let group: TodoGroup
  /// The number of its items, and of those that are done.
  public let tally: Tally
  /// What tells its picture from others; nil for a group without one.
  ///
  /// It is there also where the group comes without its picture's bytes, as in an overview.
  public let picture: PictureMark?

  /// Makes a summary.
  public init(group: TodoGroup, tally: Tally) {
    self.init(group: group, tally: tally, picture: group.image?.mark)
  }

  init(group: TodoGroup, tally: Tally, picture: PictureMark?) {
    self.group = group
    self.tally = tally
    self.picture = picture
  }

  /// The summary without the bytes of the group's picture.
  package var withoutPicture: GroupSummary {
    GroupSummary(group: group.withoutPicture, tally: tally, picture: picture)
  }

  /// The group's id.
  public var id: UUID { group.id }
}
