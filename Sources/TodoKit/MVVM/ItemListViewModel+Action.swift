import Presentation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ItemListViewModel {
  /// What a user can do to items, with raw input as it was typed or chosen.
  ///
  /// Each action is one command: one transaction, and one step of undo.
  public enum Action: Hashable, Sendable {
    /// Marks items done, or open again.
    case setDone([UUID], Bool)
    /// Gives items a star, or takes it away.
    case setImportant([UUID], Bool)
    /// Gives an item another title.
    case retitle(UUID, to: String)
    /// Gives items a priority; nil where nothing was chosen.
    case setPriority([UUID], Priority?)
    /// Gives items a day by which they are to be done; nil takes it away.
    case setDue([UUID], CalendarDay?)
    /// Puts items into a group; nil takes them out of theirs.
    case setGroup([UUID], UUID?)
    /// Files items under more words; those under which they are filed already change nothing.
    case addTags([UUID], [String])
    /// Takes words away under which items are filed; others change nothing.
    case removeTags([UUID], [String])
    /// Puts items side by side, in the order of their ids, at a place.
    case move([UUID], to: Place)
    /// Deletes items. Whoever sends it has asked the user already.
    case delete([UUID])
    /// Deletes what a list holds. Whoever sends it has asked the user already.
    case deleteAll(ItemList, ItemFilter)
    /// Takes the last command back, whoever gave it.
    case undo
    /// Does again what was taken back last.
    case redo
  }

  /// An action that was done.
  public struct Change: Hashable, Sendable {
    /// What was asked.
    public let action: Action
    /// The command that it was: for undo and redo the one that was taken back or done again.
    public let intent: TodoIntent
    /// The items afterwards, or, when they were deleted, as they were; in the ids' order.
    public let items: [TodoItem]
    /// The groups that an undo or redo was about, in the same way.
    public let groups: [TodoGroup]
    /// Whether everything was so already: nothing was written, and there is no step of undo.
    public let changedNothing: Bool

    init(action: Action, _ receipt: TodoReceipt) {
      self.action = action
      intent = receipt.intent
      items = receipt.items
      groups = receipt.groups
      changedNothing = receipt.changedNothing
    }
  }
}

extension ItemListViewModel.Action {
  /// What is asked of the repository, or why that is refused.
  var intent: Validated<TodoIntent> {
    switch self {
    case .setDone(let ids, let isDone): edit(ids, ItemPatch(isDone: isDone))
    case .setImportant(let ids, let isImportant): edit(ids, ItemPatch(isImportant: isImportant))
    case .retitle(let id, to: let typed):
      Validator.title.at(.title)
        .map { .editItems(ids: [id], patch: ItemPatch(title: $0)) }.validate(typed)
    case .setPriority(let ids, let chosen):
      Validator.priority.at(.priority)
        .map { .editItems(ids: ids, patch: ItemPatch(priority: $0)) }.validate(chosen)
    case .setDue(let ids, let day): edit(ids, ItemPatch(due: .some(day)))
    case .setGroup(let ids, let group): edit(ids, ItemPatch(groupID: .some(group)))
    case .addTags(let ids, let typed):
      Validator.tags.at(.tags)
        .map { .editItems(ids: ids, patch: ItemPatch(addedTags: $0)) }.validate(typed)
    case .removeTags(let ids, let typed):
      Validator.tags.at(.tags)
        .map { .editItems(ids: ids, patch: ItemPatch(removedTags: $0)) }.validate(typed)
    case .move(let ids, to: let place): .valid(.moveItems(ids: ids, place: place), warnings: [])
    case .delete(let ids): .valid(.deleteItems(ids: ids), warnings: [])
    case .deleteAll(let list, let filter):
      .valid(.deleteAll(list: list, filter: filter), warnings: [])
    case .undo: .valid(.undo, warnings: [])
    case .redo: .valid(.redo, warnings: [])
    }
  }

  private func edit(_ ids: [UUID], _ patch: ItemPatch) -> Validated<TodoIntent> {
    .valid(.editItems(ids: ids, patch: patch), warnings: [])
  }
}
