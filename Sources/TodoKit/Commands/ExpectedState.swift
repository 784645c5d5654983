/// Items and groups as a user was shown them, before a question that the user answers.
public struct ExpectedState: Hashable, Codable, Sendable {
  /// The items.
  public var items: [TodoItem]
  /// The groups.
  public var groups: [TodoGroup]

  /// Makes the state of some items and groups.
  public init(items: [TodoItem] = [], groups: [TodoGroup] = []) {
    self.items = items
    self.groups = groups
  }
}
