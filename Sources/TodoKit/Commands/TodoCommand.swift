#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One command of a user: one transaction, one step of undo.
///
/// A command is a plain value. Front ends send it, wire formats encode it, and the history stores
/// it to undo and redo a command.
public enum TodoCommand: Hashable, Codable, Sendable {
  /// Stores new groups and items.
  ///
  /// An order key of 0, or of another row, means the end. The rules for names are applied to a
  /// group's name.
  case add(groups: [TodoGroup], items: [TodoItem])
  /// Changes what the patch names in each of the items.
  ///
  /// Fails, where values are expected, unless each item still has them. A new group is stored first,
  /// under the rules for names, so that the patch can name it.
  case editItems(
    ids: [UUID], patch: ItemPatch, ifStill: ItemPatch? = nil, inNewGroup: TodoGroup? = nil)
  /// Changes what the patch names in a group.
  ///
  /// Fails, where values are expected, unless the group still has them.
  case editGroup(id: UUID, patch: GroupPatch, ifStill: GroupPatch? = nil)
  /// Moves items to a position, one directly after the other, in the order of the ids.
  case moveItems(ids: [UUID], to: Position)
  /// Puts a group at a position among the groups.
  case moveGroup(id: UUID, to: Position)
  /// Deletes items.
  case deleteItems(ids: [UUID])
  /// Deletes what a list contains.
  case deleteAll(list: ItemList, filter: ItemFilter)
  /// Deletes a group with its items.
  ///
  /// Fails, where ids are given, unless the group contains exactly the items of these ids.
  case deleteGroup(id: UUID, holding: [UUID]?)
  /// Stores what a file of another program says: new groups and items, and edits of items.
  ///
  /// Fails unless each edited item is as the importer has read it, and where another one has the
  /// id in its file of a new item by now.
  case importItems(groups: [TodoGroup], items: [TodoItem], edits: [ItemEdit])
  /// Performs a command if items and groups are as a user was shown them.
  ///
  /// Fails, and changes nothing, if one of them is gone or has changed since; another order is no
  /// change. The history keeps the command alone.
  indirect case ifUnchanged(ExpectedState, then: TodoCommand)
  /// Undoes the last command.
  case undo
  /// Redoes the command that was undone last.
  case redo

  // The keys of stored histories.
  private enum MoveItemsCodingKeys: String, CodingKey {
    case ids
    case to = "place"
  }
  private enum MoveGroupCodingKeys: String, CodingKey {
    case id
    case to = "place"
  }
}

extension TodoCommand {
  /// The command without its condition, as the history keeps it.
  package var unconditional: TodoCommand {
    if case .ifUnchanged(_, let command) = self { command.unconditional } else { self }
  }
}

/// Short forms of the commands that front ends give.
extension TodoCommand {
  /// Stores a new item; without an order key at the end.
  public static func add(_ item: TodoItem) -> TodoCommand { .add(groups: [], items: [item]) }

  /// Stores new items; those without an order key at the end.
  public static func add(_ items: [TodoItem]) -> TodoCommand { .add(groups: [], items: items) }

  /// Makes a group at the end of the groups.
  ///
  /// - Parameters:
  ///   - name: What was typed; the name that is stored is trimmed, numbered if it is taken, and
  ///     "Untitled Group" where there is nothing to read.
  ///   - color: The colour it is shown in; nil for some dark one.
  public static func addGroup(name: String, color: RGBA? = nil) -> TodoCommand {
    .add(groups: [TodoGroup(name: name, color: color ?? .randomDark())], items: [])
  }

  /// Changes what a patch names in each item, and nothing else.
  public static func edit(_ ids: [UUID], _ patch: ItemPatch) -> TodoCommand {
    .editItems(ids: ids, patch: patch)
  }

  /// Changes what a patch names in an item, if that is still what the user was shown.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - patch: The changes.
  ///   - shown: The item as it was shown; properties that the patch does not name do not count, and may
  ///     have changed meanwhile.
  public static func edit(
    _ id: UUID, _ patch: ItemPatch, ifStill shown: TodoItem
  ) -> TodoCommand {
    .editItems(ids: [id], patch: patch, ifStill: patch.values(in: shown))
  }

  /// Marks items done or open again; items in that state are not changed.
  public static func setDone(_ ids: [UUID], _ isDone: Bool) -> TodoCommand {
    .edit(ids, ItemPatch(isDone: isDone))
  }

  /// Marks an item done that was shown as open, or open that was shown as done.
  ///
  /// - Parameter shown: The item as the user saw it. A second tap on the same row asks for the same
  ///   again, which changes nothing.
  public static func toggleDone(_ shown: TodoItem) -> TodoCommand {
    .setDone([shown.id], !shown.isDone)
  }

  /// Gives items a star or removes it; items in that state are not changed.
  public static func setImportant(_ ids: [UUID], _ isImportant: Bool) -> TodoCommand {
    .edit(ids, ItemPatch(isImportant: isImportant))
  }

  /// Gives items a priority.
  public static func setPriority(_ ids: [UUID], _ priority: Priority) -> TodoCommand {
    .edit(ids, ItemPatch(priority: priority))
  }

  /// Gives an item another title, unchanged: ``TodoAction`` applies the rules for titles.
  public static func retitle(_ id: UUID, to title: String) -> TodoCommand {
    .edit([id], ItemPatch(title: title))
  }

  /// Moves items to a position, one directly after the other, in the order of the ids.
  ///
  /// All items have one order, of which each list shows a part: an item that is put before
  /// another is before it in every list that shows both.
  public static func move(_ ids: [UUID], to position: Position) -> TodoCommand {
    .moveItems(ids: ids, to: position)
  }

  /// Deletes items.
  public static func delete(_ ids: [UUID]) -> TodoCommand { .deleteItems(ids: ids) }

  /// Deletes what a list contains.
  public static func deleteAll(in list: ItemList, _ filter: ItemFilter = .all) -> TodoCommand {
    .deleteAll(list: list, filter: filter)
  }

  /// Changes what a patch names in a group, and nothing else.
  public static func editGroup(_ id: UUID, _ patch: GroupPatch) -> TodoCommand {
    .editGroup(id: id, patch: patch)
  }

  /// Changes the properties in a patch of a group, if they are still as the user was shown them.
  ///
  /// - Parameters:
  ///   - id: The group's id.
  ///   - patch: The changes.
  ///   - shown: The group as it was shown; properties that the patch does not have may have changed
  ///     meanwhile.
  public static func editGroup(
    _ id: UUID, _ patch: GroupPatch, ifStill shown: TodoGroup
  ) -> TodoCommand {
    .editGroup(id: id, patch: patch, ifStill: patch.values(in: shown))
  }

  /// Puts a group at a position among the groups.
  public static func moveGroup(_ id: UUID, to position: Position) -> TodoCommand {
    .moveGroup(id: id, to: position)
  }

  /// Deletes a group with its items.
  ///
  /// - Parameters:
  ///   - id: The group's id.
  ///   - held: The ids of exactly the items that may go with it; nil for any. A front end that asked the
  ///     user first names the items it showed.
  public static func deleteGroup(_ id: UUID, holding held: [UUID]? = nil) -> TodoCommand {
    .deleteGroup(id: id, holding: held)
  }
}
