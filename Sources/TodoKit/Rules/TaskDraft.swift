public import Presentation

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

extension FieldPath {
  /// The path of an item's title.
  public static let title: FieldPath = "title"
  /// The path of an item's priority.
  public static let priority: FieldPath = "priority"
  /// The path of an item's tags.
  public static let tags: FieldPath = "tags"
}

extension Validator where Input == String, Output == String {
  /// A title has something to read; it comes out without white space around it.
  ///
  /// White space is what Unicode calls so, the ideographic space (U+3000) of East
  /// Asian keyboards included. Nothing but white space and characters that
  /// are never drawn, such as the zero-width space, is `blank`.
  public static var title: Validator {
    Validator(.blank) { $0.isBlank ? nil : $0.trimmed }
  }
}

extension Validator where Input == Priority?, Output == Priority {
  /// A priority has been chosen: neither nil nor ``Priority/none``; else it is `required`.
  public static var priority: Validator {
    Validator(.required) { $0 == Priority.none ? nil : $0 }
  }
}

extension Validator where Input == [String], Output == [String] {
  /// Each tag has something to read; they come out trimmed, each once, at its first position.
  ///
  /// A tag in another normal form is the same tag. One of nothing but white space is `blank`.
  public static var tags: Validator {
    Validator<String, String>.title.each().map { $0.unique }
  }
}

extension Validator where Input == TaskDraft, Output == TodoItem {
  /// A new task has a title and a priority; the issues come in the order of its fields.
  public static var draft: Validator {
    Validator<TaskDraft, (String, Priority, [String], TaskDraft)>.all(
      Validator<String, String>.title.pullback(\.title, at: .title),
      Validator<Priority?, Priority>.priority.pullback(\.priority, at: .priority),
      Validator<[String], [String]>.tags.pullback(\.tags, at: .tags),
      Validator<TaskDraft, TaskDraft>.transform { draft in draft }
    ).map { title, priority, tags, draft in
      var item = TodoItem(title: title, priority: priority, due: draft.due, tags: tags)
      item.groupID = draft.groupID
      return item
    }
  }
}
