#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A change of one item as it was read.
public struct ItemEdit: Hashable, Codable, Sendable {
  /// The id of the item.
  public var id: UUID
  /// What is changed.
  public var patch: ItemPatch
  /// What the item had in the properties that are changed.
  public var expected: ItemPatch

  /// Makes the edit that turns an item as it was read into another state of it.
  public init(from old: TodoItem, to new: TodoItem) {
    id = old.id
    patch = ItemPatch(from: old, to: new)
    expected = patch.values(in: old)
  }
}
