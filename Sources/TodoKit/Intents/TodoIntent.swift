#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Something a user wants done: one command, one transaction, one step of undo.
///
/// An intent is a plain value. What a front end sends, what goes over a wire, and what the
/// history keeps to take a command back or do it again are the same type.
public enum TodoIntent: Hashable, Codable, Sendable {
  /// Stores new groups and items.
  ///
  /// A place of 0, or one that is taken, means the end. A group's name is changed as
  /// the rules for names say.
  case add(groups: [TodoGroup], items: [TodoItem])
  /// Changes what the patch names in each of the items.
  ///
  /// Fails, where values are expected, unless each item still has them.
  case editItems(ids: [UUID], patch: ItemPatch, ifStill: ItemPatch? = nil)
  /// Changes what the patch names in a group.
  ///
  /// Fails, where values are expected, unless the group still has them.
  case editGroup(id: UUID, patch: GroupPatch, ifStill: GroupPatch? = nil)
  /// Puts items side by side, in the order of their ids, at a place.
  case moveItems(ids: [UUID], place: Place)
  /// Puts a group at a place among the groups.
  case moveGroup(id: UUID, place: Place)
  /// Deletes items.
  case deleteItems(ids: [UUID])
  /// Deletes what a list holds.
  case deleteAll(list: ItemList, filter: ItemFilter)
  /// Deletes a group with its items.
  ///
  /// Fails, where ids are given, unless the group holds exactly the items of these ids.
  case deleteGroup(id: UUID, holding: [UUID]?)
  /// Takes the last command back.
  case undo
  /// Does again what was taken back last.
  case redo
}
