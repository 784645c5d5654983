/// What a user was shown before an answer: items, groups, and the last command.
public struct ExpectedState: Hashable, Codable, Sendable {
  /// The items.
  public var items: [TodoItem]
  /// The groups.
  public var groups: [TodoGroup]
  /// The entry of the history that undo takes back; nil where any may be the last.
  public var lastStep: HistoryStep?

  /// Makes the state of some items and groups, and of the history.
  public init(
    items: [TodoItem] = [], groups: [TodoGroup] = [], lastStep: HistoryStep? = nil
  ) {
    self.items = items
    self.groups = groups
    self.lastStep = lastStep
  }
}
