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
  /// Its place on the line on which all groups stand; 0 asks for the end of it.
  @Indexed public var order: Int64 = 0
  /// When it was made.
  public var createdAt: Date = .now

  #Unique<TodoGroup>([\.name])
}
