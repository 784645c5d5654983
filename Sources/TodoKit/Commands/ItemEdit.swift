public import CroftFoundation

/// A change of one item that was read before.
public struct ItemEdit: Hashable, Codable, Sendable {
  /// The id of the item.
  public var id: UUID
  /// The new values of the properties that change.
  public var patch: ItemPatch
  /// The earlier values of the properties that change.
  public var expected: ItemPatch

  /// Makes the edit that turns the state of an item that was read into another one.
  public init(from old: TodoItem, to new: TodoItem) {
    id = old.id
    patch = ItemPatch(from: old, to: new)
    expected = patch.values(in: old)
  }
}
