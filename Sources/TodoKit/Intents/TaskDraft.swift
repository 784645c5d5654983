/// A new task as it was typed, before any rule has seen it.
public struct TaskDraft: Hashable, Sendable {
  /// The title, untrimmed.
  public var title: String
  /// The chosen priority; nil where the user was not asked or did not answer.
  public var priority: Priority?

  /// Makes a draft of what was typed.
  public init(title: String, priority: Priority? = nil) {
    self.title = title
    self.priority = priority
  }
}
