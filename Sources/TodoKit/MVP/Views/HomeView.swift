public import Presentation

/// What draws all lists.
public protocol HomeView: AnyObject {
  /// Builds the view's parts; called once, first.
  func setUpUI()
  /// Takes a step of drawing the groups with their tallies.
  func update(_ event: FetchedEvent<GroupSummary>)
  /// Shows how many groups there are, after the batch that changed it.
  func configure(listCount: Int)
  /// Shows the tally of what is important, whose row is always there.
  func showImportant(_ tally: Tally)
  /// Asks whether to delete, naming the titles and the number of items; nil takes it away.
  func ask(_ question: PendingDeletion?)
  /// Shows what went wrong until the user dismisses it; nil takes it away.
  func showAlert(_ error: PresentableError?)
}
