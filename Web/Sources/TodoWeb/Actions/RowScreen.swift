import Foundation
import PageServer
import Presentation
import TodoKit
import TodoScreens

/// The screen of an open list for one request: a store of intents whose state is the row that the page shows.
///
/// What the page shows next comes with its events, so the store reads no list.
struct RowScreen {
  let site: Site

  /// Handles what the user does to a row.
  ///
  /// - Returns: The state after it: with the result of a change, or with a question.
  /// - Throws: `ValidationIssue` for input that is refused; `TodoError` of the repository.
  func send(_ intent: ListIntent, on row: ShownRow) throws -> ListState {
    guard let item = try site.repository.item(row.id) else { throw TodoError.notFound(row.id) }
    let store = ListStore(
      showing: ListState(list: .all, showing: [row.applied(to: item)]),
      repository: site.repository, deletions: site.deletions)
    store.send(intent)
    let state = store.state
    if let issue = state.issues.first { throw issue }
    if let error = state.error { throw error.cause }
    return state
  }
}

/// What the page showed of an item when its user did something; nil for what does not matter then.
struct ShownRow: Equatable, Sendable {
  let id: UUID
  var isDone: Bool?
  var isImportant: Bool?
  var title: String?

  init(_ id: UUID, isDone: Bool? = nil, isImportant: Bool? = nil, title: String? = nil) {
    (self.id, self.isDone, self.isImportant, self.title) = (id, isDone, isImportant, title)
  }

  /// The item as the user sees it, of the item as it is stored.
  func applied(to item: TodoItem) -> TodoItem {
    var item = item
    if let isDone { item.isDone = isDone }
    if let isImportant { item.isImportant = isImportant }
    // The page has signs in place of what it does not draw.
    if let title, title != item.title.shown { item.title = title }
    return item
  }
}
