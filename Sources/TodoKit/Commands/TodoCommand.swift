public import CroftFoundation

/// One command of a user: one transaction, one step of undo.
///
/// A command is a plain value. Front ends send it, wire formats encode it, and the history stores
/// it to undo and redo a command.
public enum TodoCommand: Hashable, Codable, Sendable {
  /// Stores new groups and items.
  ///
  /// A row whose order key is 0, or that of another row, gets the last one. The rules for names are
  /// applied to a group's name.
  case add(groups: [TodoGroup], items: [TodoItem])
  /// Changes the properties in a patch of each of the items.
  ///
  /// If values are expected, it fails unless each item still has them. A new group is stored first,
  /// by the rules for names, so that the patch can name it.
  case editItems(
    ids: [UUID], patch: ItemPatch, ifStill: ItemPatch? = nil, inNewGroup: TodoGroup? = nil)
  /// Changes the properties in a patch of a group.
  ///
  /// If values are expected, it fails unless the group still has them.
  case editGroup(id: UUID, patch: GroupPatch, ifStill: GroupPatch? = nil)
  /// Moves items to a position, one directly after the other, in the order of the ids.
  case moveItems(ids: [UUID], to: Position)
  /// Puts a group at a position among the groups.
  case moveGroup(id: UUID, to: Position)
  /// Deletes items.
  case deleteItems(ids: [UUID])
  /// Deletes all items of a list.
  case deleteAll(list: ItemList, filter: ItemFilter)
  /// Deletes a group with its items.
  ///
  /// If ids are given, it fails unless the group contains exactly the items with these ids.
  case deleteGroup(id: UUID, holding: [UUID]?)
  /// Stores the tasks of another program's file: new groups and items, and edits of items.
  ///
  /// It fails if an edited item has changed since the importer read it, or if a new item's id in
  /// the file now belongs to another item.
  case importItems(groups: [TodoGroup], items: [TodoItem], edits: [ItemEdit])
  /// Performs a command if items, groups and the last command are as a user was shown them.
  ///
  /// It fails, and changes nothing, if one of them was deleted or has changed since; a move is not
  /// such a change. The undo of one step is `.ifUnchanged(ExpectedState(lastStep: step), then: .undo)`.
  /// The history keeps the command without the condition.
  indirect case ifUnchanged(ExpectedState, then: TodoCommand)
  /// Performs a command that stores new groups, with a group of the same name where there is one.
  ///
  /// Such a group is not stored again under a numbered name: the items of the command go to the one that
  /// is there. Its name may differ in case, except where a file is imported. The result has that group among
  /// its groups. Its command, which the history keeps, is the one that was performed.
  indirect case reusingGroups(TodoCommand)
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

/// Short forms of the commands that front ends send.
extension TodoCommand {
  /// Stores a new item, at the end if it has no order key.
  public static func add(_ item: TodoItem) -> TodoCommand { .add(groups: [], items: [item]) }

  /// Stores new items; those without an order key are put at the end.
  public static func add(_ items: [TodoItem]) -> TodoCommand { .add(groups: [], items: items) }

  /// Makes a group at the end of the groups.
  ///
  /// - Parameters:
  ///   - name: The typed name; the stored one is trimmed, numbered if another group has it, and
  ///     "Untitled Group" if no character is visible.
  ///   - color: The colour it is shown in; nil for some dark one.
  public static func addGroup(name: String, color: RGBA? = nil) -> TodoCommand {
    .add(groups: [TodoGroup(name: name, color: color ?? .randomDark())], items: [])
  }

  /// Changes the properties in a patch of each item, and nothing else.
  public static func edit(_ ids: [UUID], _ patch: ItemPatch) -> TodoCommand {
    .editItems(ids: ids, patch: patch)
  }

  /// Changes the properties in a patch of an item, if they are still as the user was shown them.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - patch: The changes.
  ///   - shown: The item as it was shown; properties that the patch does not have may have changed
  ///     meanwhile.
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
  /// - Parameter shown: The item as the user saw it. So a second tap on the same row makes the same
  ///   command, which changes nothing.
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

  /// Deletes all items of a list.
  public static func deleteAll(in list: ItemList, _ filter: ItemFilter = .all) -> TodoCommand {
    .deleteAll(list: list, filter: filter)
  }

  /// Changes the properties in a patch of a group, and nothing else.
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
  ///   - held: The ids of all items that the group must have; nil for any items. A front end that
  ///     asked the user first passes the items that it showed.
  public static func deleteGroup(_ id: UUID, holding held: [UUID]? = nil) -> TodoCommand {
    .deleteGroup(id: id, holding: held)
  }
}
