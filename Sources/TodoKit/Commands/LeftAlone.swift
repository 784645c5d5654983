/// What undo and redo have left as it is, because another machine has changed it since.
public struct LeftAlone: Hashable, Sendable {
  /// The items, as they are.
  public var items: [TodoItem] = []
  /// The groups, as they are.
  public var groups: [TodoGroup] = []
  /// How many others are no longer there.
  public var missing = 0

  /// Makes one of nothing.
  public init() {}

  /// Whether nothing was left alone.
  public var isEmpty: Bool { self == LeftAlone() }
}
