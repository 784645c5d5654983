public import CroftFoundation
public import Presentation

/// An action of a user, with raw input as it was typed or chosen; each action is one command.
///
/// It is the same for all screens: an action is validated (``command``), then the repository
/// performs the command. `perform(validating:)` does both.
public enum TodoAction: Hashable, Sendable {
  /// Makes a task of a filled draft: it needs a title and a priority.
  ///
  /// If a new group is named, that is made too, and the task is added to it. If another program has made
  /// a group of that name meanwhile, the task is added to that one.
  case addTask(TaskDraft, inNewGroup: String? = nil)
  /// Makes a task of a title alone, at the end of a group or without one.
  case addTitle(String, in: UUID?)
  /// Marks items done, or open again.
  case setDone([UUID], Bool)
  /// Gives items a star, or removes it.
  case setImportant([UUID], Bool)
  /// Changes an item as a form says that was opened with the given item.
  ///
  /// Only the properties that the user changed are changed. The action is refused if one of them
  /// has another value now than when the form was opened. A new group that is named is made as by
  /// ``addTask(_:inNewGroup:)``, and the item is put into it.
  case editTask(TodoItem, TaskDraft, inNewGroup: String? = nil)
  /// Gives an item another title.
  ///
  /// If the shown item is given, the action is refused if the title has changed since.
  case retitle(UUID, to: String, ifStill: TodoItem? = nil)
  /// Replaces the note of items; an empty one removes it.
  case setNote([UUID], String)
  /// Gives items a priority; nil where nothing was chosen.
  case setPriority([UUID], Priority?)
  /// Removes the priority of items.
  case removePriority([UUID])
  /// Sets when items are due; nil removes the day and the time.
  case setDue([UUID], DueChange?)
  /// Sets the recurrence of items; nil for none. An item without a day is due on the first of its days.
  case setRepeats([UUID], RepeatRule?)
  /// Hides items from lists until a day; nil shows them again.
  case setHiddenUntil([UUID], CalendarDay?)
  /// Puts items into a group; nil removes them from theirs.
  case setGroup([UUID], UUID?)
  /// Puts items into the group of a name, which is made where there is none.
  case setNewGroup([UUID], String)
  /// Adds tags to items; tags that they already have change nothing.
  case addTags([UUID], [String])
  /// Removes tags of items; tags that they do not have change nothing.
  case removeTags([UUID], [String])
  /// Moves items to a position, one directly after the other, in the order of the ids.
  case move([UUID], to: Position)
  /// Deletes items. The sender has asked the user already.
  case delete([UUID])
  /// Deletes all items of a list. The sender has asked the user already.
  case deleteAll(ItemList, ItemFilter)
  /// Makes a group of a name; picture and items may be missing.
  case addGroup(GroupDraft)
  /// Makes a group of a filled form: it needs a picture, a name and an item.
  case submitGroup(GroupDraft)
  /// Changes the properties in a patch of a group.
  ///
  /// If the shown group is given, the action is refused if one of these properties has changed
  /// since.
  case editGroup(UUID, GroupPatch, ifStill: TodoGroup? = nil)
  /// Puts a group at a position among the groups.
  case moveGroup(UUID, to: Position)
  /// Deletes a group with its items; if ids are given, only if these are exactly its items.
  case deleteGroup(UUID, holding: [UUID]? = nil)
  /// Stores the tasks of another program's file; the importer has applied the rules for titles.
  ///
  /// A new group whose name another program has given meanwhile is that program's.
  case importItems(groups: [TodoGroup], items: [TodoItem], edits: [ItemEdit])
  /// Performs an action if items, groups and the last command are as the user was shown them.
  ///
  /// A front end that has asked a question sends the answer as this action, which fails after a
  /// change.
  indirect case ifUnchanged(ExpectedState, then: TodoAction)
  /// Undoes the last command of any program.
  case undo
  /// Redoes the command that was undone last.
  case redo

  /// The command, or the issues for which the input is refused; input is validated only here.
  ///
  /// The rules are in `TaskDraft.swift` and the files beside it.
  ///
  /// A command that adds items or groups has new ids at each access.
  public var command: Validated<TodoCommand> {
    switch self {
    case .addTask(let draft, let group): Self.add(draft, inNewGroup: group)
    case .addTitle(let typed, let group):
      Self.title.map { .add(groups: [], items: [TodoItem(title: $0, in: group)]) }.validate(typed)
    case .setDone(let ids, let isDone): .accepted(.setDone(ids, isDone))
    case .setImportant(let ids, let isImportant): .accepted(.setImportant(ids, isImportant))
    case .editTask(let shown, let draft, let group): Self.edit(shown, draft, inNewGroup: group)
    case .retitle(let id, let typed, let shown):
      Self.title.map { title in
        shown.map { .edit(id, ItemPatch(title: title), ifStill: $0) } ?? .retitle(id, to: title)
      }.validate(typed)
    case .setNote(let ids, let note): .accepted(.edit(ids, ItemPatch(note: note)))
    case .setPriority(let ids, let chosen):
      Validator.priority.at(.priority).map { .setPriority(ids, $0) }.validate(chosen)
    case .removePriority(let ids): .accepted(.setPriority(ids, .none))
    case .setDue(let ids, nil): .accepted(.edit(ids, ItemPatch(due: .some(nil))))
    case .setDue(let ids, let change?):
      .accepted(
        .edit(ids, ItemPatch(due: change.day.map { .some($0) }, dueTime: change.time)))
    case .setRepeats(let ids, let rule): .accepted(.edit(ids, ItemPatch(repeats: .some(rule))))
    case .setHiddenUntil(let ids, let day):
      .accepted(.edit(ids, ItemPatch(hiddenUntil: .some(day))))
    case .setGroup(let ids, let group): .accepted(.edit(ids, ItemPatch(groupID: .some(group))))
    case .setNewGroup(let ids, let name):
      Self.newGroup(name).map { group in
        .reusingGroups(
          .editItems(ids: ids, patch: ItemPatch(groupID: group.id), inNewGroup: group))
      }
    case .addTags(let ids, let typed):
      Self.tags.map { .edit(ids, ItemPatch(addedTags: $0)) }.validate(typed)
    case .removeTags(let ids, let typed):
      Self.tags.map { .edit(ids, ItemPatch(removedTags: $0)) }.validate(typed)
    case .move(let ids, let position): .accepted(.move(ids, to: position))
    case .delete(let ids): .accepted(.delete(ids))
    case .deleteAll(let list, let filter): .accepted(.deleteAll(in: list, filter))
    case .addGroup(let draft): Self.add(draft, accepting: .namedGroup)
    case .submitGroup(let draft): Self.add(draft, accepting: .group)
    case .editGroup(let id, let patch, let shown): Self.editGroup(id, patch, shown)
    case .moveGroup(let id, let position): .accepted(.moveGroup(id, to: position))
    case .deleteGroup(let id, let held): .accepted(.deleteGroup(id, holding: held))
    case .importItems(let groups, let items, let edits):
      .accepted(.reusingGroups(.importItems(groups: groups, items: items, edits: edits)))
    case .ifUnchanged(let shown, let action):
      action.command.map { .ifUnchanged(shown, then: $0) }
    case .undo: .accepted(.undo)
    case .redo: .accepted(.redo)
    }
  }

  private static var title: Validator<String, String> { .title.at(.title) }
  private static var tags: Validator<[String], [String]> { .tags.at(.tags) }

  private static func add(
    _ draft: TaskDraft, inNewGroup name: String?
  ) -> Validated<TodoCommand> {
    guard let name else {
      return Validator.draft.map { .add(groups: [], items: [$0]) }.validate(draft)
    }
    return newGroup(name).then { group in
      var draft = draft
      draft.groupID = group.id
      return Validator.draft.map { .reusingGroups(.add(groups: [group], items: [$0])) }
        .validate(draft)
    }
  }

  private static func edit(
    _ shown: TodoItem, _ draft: TaskDraft, inNewGroup name: String?
  ) -> Validated<TodoCommand> {
    func command(_ draft: TaskDraft, _ group: TodoGroup?) -> Validated<TodoCommand> {
      Validator.editing(shown).map { new in
        let edit = ItemEdit(from: shown, to: new)
        let command = TodoCommand.editItems(
          ids: [shown.id], patch: edit.patch, ifStill: edit.expected, inNewGroup: group)
        return group == nil ? command : .reusingGroups(command)
      }.validate(draft)
    }
    guard let name else { return command(draft, nil) }
    return newGroup(name).then { group in
      var draft = draft
      draft.groupID = group.id
      return command(draft, group)
    }
  }

  /// A group of a name that was typed together with items.
  private static func newGroup(_ name: String) -> Validated<TodoGroup> {
    Validator<String, String>.groupName.at(.name)
      .map { TodoGroup(name: $0, color: .randomDark()) }.validate(name)
  }

  private static func add(
    _ draft: GroupDraft, accepting rule: Validator<GroupDraft, (group: TodoGroup, titles: [String])>
  ) -> Validated<TodoCommand> {
    rule.map { group, titles in
      .add(groups: [group], items: titles.map { TodoItem(title: $0, in: group.id) })
    }.validate(draft)
  }

  private static func editGroup(
    _ id: UUID, _ patch: GroupPatch, _ shown: TodoGroup?
  ) -> Validated<TodoCommand> {
    var patch = patch
    if let typed = patch.name {
      switch Validator<String, String>.groupName.at(.name).validate(typed) {
      case .valid(let name, _): patch.name = name
      case .invalid(let issues): return .invalid(issues)
      }
    }
    return .accepted(shown.map { .editGroup(id, patch, ifStill: $0) } ?? .editGroup(id, patch))
  }
}

extension Validated {
  fileprivate func map<New>(_ body: (Value) -> New) -> Validated<New> {
    switch self {
    case .valid(let value, let warnings): .valid(body(value), warnings: warnings)
    case .invalid(let issues): .invalid(issues)
    }
  }

  fileprivate func then<New>(_ body: (Value) -> Validated<New>) -> Validated<New> {
    switch self {
    case .valid(let value, _): body(value)
    case .invalid(let issues): .invalid(issues)
    }
  }

  fileprivate static func accepted(_ value: Value) -> Validated { .valid(value, warnings: []) }
}

extension TodoRepository {
  /// Validates what a user does, then performs the command.
  ///
  /// - Throws: The first `ValidationIssue` of input that is refused, which the store never sees;
  ///   ``TodoError`` as for the command.
  @discardableResult
  public func perform(validating action: TodoAction) throws -> CommandResult {
    let command = try action.command.get()
    return try perform(command)
  }

  /// Validates what a user does, then performs the command without blocking.
  ///
  /// - Throws: As the synchronous form.
  @discardableResult
  public func perform(validating action: TodoAction) async throws -> CommandResult {
    let command = try action.command.get()
    return try await perform(command)
  }
}
