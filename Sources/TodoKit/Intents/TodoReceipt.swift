/// What became of an intent.
public struct TodoReceipt: Hashable, Sendable {
  /// The command: the intent itself, or the one that was taken back or done again.
  public let intent: TodoIntent
  /// The items it was about: as they are afterwards or, where they were deleted, as they were.
  public let items: [TodoItem]
  /// The groups it was about, in the same way.
  public let groups: [TodoGroup]

  /// Makes a receipt.
  public init(intent: TodoIntent, items: [TodoItem] = [], groups: [TodoGroup] = []) {
    self.intent = intent
    self.items = items
    self.groups = groups
  }
}
