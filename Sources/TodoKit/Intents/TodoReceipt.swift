/// What became of an intent.
public struct TodoReceipt: Hashable, Sendable {
  /// The command as it was asked for: the intent itself, or the one that was taken back or done
  /// again.
  ///
  /// What it became, such as the name that a new group really got, is in items and groups.
  public let intent: TodoIntent
  /// The items it was about: as they are afterwards or, where they were deleted, as they were.
  public let items: [TodoItem]
  /// The groups it was about, in the same way.
  public let groups: [TodoGroup]
  /// Whether everything was so already: nothing was written, and there is no step of undo.
  public let changedNothing: Bool

  /// Makes a receipt.
  public init(
    intent: TodoIntent, items: [TodoItem] = [], groups: [TodoGroup] = [],
    changedNothing: Bool = false
  ) {
    self.intent = intent
    self.items = items
    self.groups = groups
    self.changedNothing = changedNothing
  }
}
