#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the form for a task's title is for: one screen, two modes.
public enum EditTaskMode: Hashable, Codable, Sendable {
  /// A new task in a list.
  case create(in: ItemList)
  /// Another title for a task.
  case retitle(id: UUID)
}
