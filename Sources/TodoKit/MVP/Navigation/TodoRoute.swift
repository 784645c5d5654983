#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A screen that can be open, as a value.
public enum TodoRoute: Hashable, Codable, Sendable {
  /// All lists.
  case home
  /// The items of one list.
  case list(ItemList)
  /// The form for a new list.
  case addList
  /// The form for another name of a list.
  case renameList(id: UUID)
  /// The form for a task's title.
  case editTask(EditTaskMode)
}
