#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A change of one item that was read before.
public struct ItemEdit: Hashable, Codable, Sendable {
  /// The id of the item.
  public var id: UUID
  /// What is changed.
  public var patch: ItemPatch
  /// What the item had in the properties that are changed.
  public var expected: ItemPatch

  /// Makes the edit that turns the state of an item that was read into another one.
  public init(from old: TodoItem, to new: TodoItem) {
    id = old.id
    patch = ItemPatch(from: old, to: new)
    expected = patch.values(in: old)
  }
}
