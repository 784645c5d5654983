public import CroftFoundation
public import Presentation

/// A new task as it was typed, before validation.
public struct TaskDraft: Hashable, Sendable {
  /// The title, untrimmed.
  public var title: String
  /// The chosen priority; nil if the user was not asked or did not answer.
  public var priority: Priority?
  /// The group to add it to; nil for none.
  public var groupID: UUID?
  /// The day by which it is due; nil for none.
  public var due: CalendarDay?
  /// The time of that day; nil for the whole day.
  public var dueTime: TimeOfDay?
  /// Its recurrence; nil for none.
  public var repeats: RepeatRule?
  /// The day until which lists leave it out; nil for never.
  public var hiddenUntil: CalendarDay?
  /// How long it is expected to take; nil if nobody has said.
  public var estimate: Estimate?
  /// The tags, untrimmed.
  public var tags: [String]
  /// The note; nil for a form without that field.
  public var note: String?
  /// Whether a task without a priority is accepted, as a user's settings may say.
  public var mayLackPriority = false

  /// Makes a draft of raw input.
  public init(
    title: String, priority: Priority? = nil, groupID: UUID? = nil, due: CalendarDay? = nil,
    dueTime: TimeOfDay? = nil, repeats: RepeatRule? = nil, hiddenUntil: CalendarDay? = nil,
    tags: [String] = [], estimate: Estimate? = nil
  ) {
    self.estimate = estimate
    self.dueTime = dueTime
    self.repeats = repeats
    self.hiddenUntil = hiddenUntil
    self.title = title
    self.priority = priority
    self.groupID = groupID
    self.due = due
    self.tags = tags
  }

  /// A draft of how an item repeats, how long it is hidden and how long it takes, and of nothing else.
  public init(planOf item: TodoItem) {
    self.init(
      title: "", repeats: item.repeats, hiddenUntil: item.hiddenUntil, estimate: item.estimate)
  }

  /// The draft with these three fields alone.
  public var plan: TaskDraft {
    TaskDraft(title: "", repeats: repeats, hiddenUntil: hiddenUntil, estimate: estimate)
  }

  /// All of it, as the fields of a form.
  static var fields: [FormField<TaskDraft>] {
    [
      FormField(\.title, at: .title), FormField(\.priority, at: .priority),
      FormField(\.groupID, at: "group"), FormField(\.due, at: .due),
      FormField(\.dueTime, at: .dueTime), FormField(\.repeats, at: .repeats),
      FormField(\.hiddenUntil, at: "hiddenUntil"), FormField(\.estimate, at: "estimate"),
      FormField(\.tags, at: .tags), FormField(\.note, at: "note"),
      FormField(\.mayLackPriority, at: "mayLackPriority"),
    ]
  }

  /// An item with the fields that need no rule.
  fileprivate func item(_ item: TodoItem) -> TodoItem {
    var item = item
    (item.groupID, item.repeats, item.estimate) = (groupID, repeats, estimate)
    (item.due, item.dueTime, item.hiddenUntil) = (due, dueTime, hiddenUntil)
    if let note { item.note = note }
    return item
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
  /// Trims a title; one without a visible character has the issue `blank`.
  public static var title: Validator { .notBlank }
}

extension Validator where Input == Priority?, Output == Priority {
  /// Refuses nil and ``Priority/none`` with the issue `required`.
  public static var priority: Validator {
    Validator(.required) { $0 == Priority.none ? nil : $0 }
  }
}

extension Validator where Input == [String], Output == [String] {
  /// Trims tags and removes repeated ones; a blank tag is refused.
  ///
  /// A tag in another normal form is the same tag.
  public static var tags: Validator {
    Validator<String, String>.title.each().map { $0.unique }
  }
}

extension Validator where Input == TaskDraft, Output == TodoItem {
  /// A new task has a title and, unless it may lack one, a priority.
  ///
  /// The issues are in the order of its fields.
  public static var draft: Validator {
    Validator<TaskDraft, (String, Priority, [String], TaskDraft)>.all(
      Validator<String, String>.title.pullback(\.title, at: .title),
      Validator<TaskDraft, Priority>(.required) { draft in
        if draft.mayLackPriority { return draft.priority ?? Priority.none }
        return draft.priority == Priority.none ? nil : draft.priority
      }.at(.priority),
      Validator<[String], [String]>.tags.pullback(\.tags, at: .tags),
      Validator<TaskDraft, TaskDraft>.transform { draft in draft }
    ).map { title, priority, tags, draft in
      draft.item(TodoItem(title: title, priority: priority, tags: tags))
    }
  }

  /// An item that a form changes has a title; it may lose its priority.
  ///
  /// - Parameter shown: The item with which the form began.
  static func editing(_ shown: TodoItem) -> Validator {
    Validator<TaskDraft, (String, [String], TaskDraft)>.all(
      Validator<String, String>.title.pullback(\.title, at: .title),
      Validator<[String], [String]>.tags.pullback(\.tags, at: .tags),
      Validator<TaskDraft, TaskDraft>.transform { draft in draft }
    ).map { title, tags, draft in
      var item = shown
      (item.title, item.priority, item.tags) = (title, draft.priority ?? Priority.none, tags)
      return draft.item(item)
    }
  }
}
