import Foundation
import PageServer
import Presentation
import TodoKit
import TodoPrompt

/// The fields of the form of an item, as texts.
///
/// The form has each field twice: its value when the form was opened, and the new one.
struct ItemFields: Equatable, PageFields {
  /// The fields in the order of the form.
  enum Name: String, CaseIterable, Sendable {
    case title, priority, due, dueTime, group, plan, tags, note
  }

  private var texts: [Name: String]

  subscript(name: Name) -> String { texts[name] ?? "" }

  var named: [(name: String, value: String)] { Name.allCases.map { ($0.rawValue, self[$0]) } }

  /// The fields of an item.
  init(_ item: TodoItem) {
    texts = [
      // A field of one line would drop the line ends, and change the title unasked.
      .title: String(item.title.shown.map { $0.isNewline ? " " : $0 }),
      .priority: item.priority.word(in: .english),
      .due: item.due.map { "\($0)" } ?? "", .dueTime: item.dueTime.map { "\($0)" } ?? "",
      .group: item.groupID.map(PageRenderer.name) ?? "", .plan: TypedPlan.line(of: item),
      .note: item.note.shown,
      .tags: item.tags.joined(separator: ", ").shown,
    ]
  }

  /// The fields of a form that was sent; those that were there before have a prefix.
  init(_ form: FormFields, prefix: String = "") {
    texts = [:]
    for name in Name.allCases { texts[name] = form[prefix + name.rawValue] }
  }

  /// An item with the fields of the form.
  ///
  /// - Throws: As ``draft(from:_:)`` does.
  func item(from current: TodoItem, _ settings: TodoSettings) throws -> TodoItem {
    var item = current
    let draft = try draft(from: current, settings)
    item.title = draft.title
    item.priority = draft.priority ?? .none
    (item.due, item.dueTime, item.groupID) = (draft.due, draft.dueTime, draft.groupID)
    (item.repeats, item.hiddenUntil) = (draft.repeats, draft.hiddenUntil)
    item.estimate = draft.estimate
    item.tags = draft.tags
    item.note = draft.note ?? ""
    return item
  }

  /// The form as rules read it, with what an item has besides.
  ///
  /// A field that says what the item has is the item's own value, which a text may not hold as a whole.
  ///
  /// - Throws: `ValidationIssue` for a text that names no day or no time; `PromptError` for a plan that
  ///   the prompt does not understand.
  func draft(from item: TodoItem, _ settings: TodoSettings) throws -> TaskDraft {
    let old = ItemFields(item)
    func value<Value>(
      _ name: Name, _ own: Value, _ read: (String) throws -> Value
    ) rethrows -> Value {
      self[name] == old[name] ? own : try read(self[name])
    }
    let plan = try value(.plan, TypedPlan(item)) { try TypedPlan(line: $0, settings: settings) }
    var draft = plan.draft
    draft.title = value(.title, item.title) { $0 }
    draft.priority = value(.priority, item.priority) { Priority(word: $0) }
    draft.groupID = value(.group, item.groupID) { UUID(uuidString: $0) }
    draft.due = try value(.due, item.due) { _ in try read(.due) { CalendarDay($0) } }
    draft.dueTime = try value(.dueTime, item.dueTime) { _ in
      try read(.dueTime) { TimeOfDay(words: $0) }
    }
    draft.tags = value(.tags, item.tags) { _ in tags }
    draft.note = value(.note, item.note) { $0 }
    return draft
  }

  /// The form after a conflict: what the user has changed, and beside it what is there now.
  func rebased(from was: ItemFields, onto now: ItemFields) -> ItemFields {
    var fields = now
    for name in Name.allCases where self[name] != was[name] { fields.texts[name] = self[name] }
    return fields
  }

  private var tags: [String] {
    // Written with the sign that a line and the list have before them.
    self[.tags].split(separator: ",").map { tag in
      String(tag.trimmingCharacters(in: .whitespaces).drop { $0 == "#" })
    }
    .filter { !$0.isEmpty }
  }

  private func read<Value>(_ name: Name, _ read: (String) -> Value?) throws -> Value? {
    if self[name].isEmpty { return nil }
    guard let value = read(self[name]) else {
      throw ValidationIssue(.invalidFormat, at: .due, params: ["word": .text(self[name])])
    }
    return value
  }
}
