/// What a deletion took away, as it was.
public struct DeletionReport: Hashable, Sendable {
  /// The groups.
  public let groups: [TodoGroup]
  /// The items, those included that went with their group.
  public let items: [TodoItem]

  /// How many items are gone.
  public var itemCount: Int { items.count }
}
