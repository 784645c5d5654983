#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A new task as it was typed, before any rule has seen it.
public struct TaskDraft: Hashable, Sendable {
  /// The title, untrimmed.
  public var title: String
  /// The chosen priority; nil where the user was not asked or did not answer.
  public var priority: Priority?
  /// The group it is to belong to; nil for none.
  public var groupID: UUID?
  /// The day by which it is to be done; nil for none.
  public var due: CalendarDay?
  /// The words it is to be filed under, untrimmed.
  public var tags: [String]

  /// Makes a draft of what was typed.
  public init(
    title: String, priority: Priority? = nil, groupID: UUID? = nil, due: CalendarDay? = nil,
    tags: [String] = []
  ) {
    self.title = title
    self.priority = priority
    self.groupID = groupID
    self.due = due
    self.tags = tags
  }
}
