public import CroftFoundation
public import Presentation
public import TodoKit

/// All that the screen of one list shows, as a value.
///
/// Only a ``ListStore`` makes states, each from the previous state and an event.
public struct ListState: Equatable, Sendable {
  /// Which list is shown.
  public let list: ItemList
  /// Its items, or the state of reading them, or the error of that.
  public internal(set) var items: LoadState<ItemSections> = .idle
  /// The list's group, as last read; nil for a list without a group.
  public internal(set) var group: TodoGroup?
  /// Whether the list's group does not exist, or not any more.
  public internal(set) var isGone = false
  /// The sheet in which the user types; nil while none is open.
  public internal(set) var sheet: ListSheet?
  /// The issues for which the user's input was refused; empty again after the next accepted input.
  public internal(set) var issues: [ValidationIssue] = []
  /// The open question before a deletion; nil for none.
  public internal(set) var question: PendingDeletion?
  /// The result of the last change of this screen; nil before the first one, and after one that failed.
  public internal(set) var result: CommandResult?
  /// The last error, until something succeeds or the user has seen it.
  public internal(set) var error: PresentableError?

  /// The state of a list that was not read yet.
  package init(list: ItemList) { self.list = list }

  /// The state of a list whose items were shown already, such as those in a request of a page.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - items: The items as the user sees them, which may be a part of the list.
  public init(list: ItemList, showing items: [TodoItem]) {
    self.init(list: list)
    self.items = .loaded(ItemSections(items))
  }

  /// Whether there is an error to show.
  public var hasError: Bool { error != nil }
  /// The open items, in the list's order.
  public var undone: [TodoItem] { items.value?.open ?? [] }
  /// The completed items, in the list's order.
  public var done: [TodoItem] { items.value?.completed ?? [] }
  /// The section of open items, and then that of completed ones if there are any.
  public var sections: [ItemSection] { done.isEmpty ? [.open] : [.open, .completed] }
  /// The actions on the list itself that are allowed; others are hidden, and refused.
  public var capabilities: ListCapabilities { list.capabilities }

  /// The items of a section, in the list's order.
  public func items(in section: ItemSection) -> [TodoItem] {
    switch section {
    case .open: undone
    case .completed: done
    }
  }
}

/// A sheet with one field, in one of its modes.
public struct ListSheet: Equatable, Sendable {
  /// The purpose of the typed text.
  public enum Mode: Hashable, Codable, Sendable {
    /// The title of a new item.
    case create
    /// Another title for an item.
    case retitle(id: UUID)
    /// Another name for the group.
    case rename
  }

  /// The purpose of the text in the field.
  public let mode: Mode
  /// The text of the field, untrimmed.
  public internal(set) var text: String
  /// Whether what was typed is being stored.
  public internal(set) var isSaving = false
  /// What is changed, as the user has seen it last: when the sheet opened, or after an error.
  var seen = ExpectedState()

  /// Whether the text can be saved; a button is disabled while it has no visible characters.
  public var canSave: Bool {
    !isSaving && Validator<String, String>.title.validate(text).firstError == nil
  }
}
