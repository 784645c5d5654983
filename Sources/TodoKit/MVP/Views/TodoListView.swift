public import Presentation

/// What draws the items of one list.
public protocol TodoListView: AnyObject {
  /// Builds the view's parts, without those for what cannot be done; called once, first.
  func setUpUI(_ capabilities: ListCapabilities)
  /// Shows the name of a group; lists that are no groups have names of the front end's.
  func showName(_ name: String)
  /// Takes a step of drawing the items: a section "open" and one "completed", where not empty.
  func update(_ event: FetchedEvent<TodoItem>)
  /// Shows how many items there are, after the batch that changed it.
  func configure(taskCount: Int)
  /// Asks whether to delete, naming the titles; nil takes it away.
  func ask(_ question: PendingDeletion?)
  /// Shows what went wrong until the user dismisses it; nil takes it away.
  func showAlert(_ error: PresentableError?)
}
