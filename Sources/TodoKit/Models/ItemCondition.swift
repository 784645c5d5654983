import Croft

/// A condition on an item, as people narrow a list with it; several must all hold.
public enum ItemCondition: Hashable, Sendable {
  /// The title or the note has a text, without regard to case and diacritical marks.
  case text(String)
  /// It has a tag, without regard to case.
  case tag(String)
  /// It belongs to a list.
  case list(ItemList)
  /// It has a priority.
  case priority(Priority)
  /// It is due on a day.
  case due(CalendarDay)
  /// It is due before a day.
  case dueBefore(CalendarDay)
  /// It is due after a day.
  case dueAfter(CalendarDay)
  /// It has no day.
  case hasNoDue
  /// It is done, or not.
  case isDone(Bool)

  /// What is open although its day has passed.
  public static func overdue(on today: CalendarDay) -> [ItemCondition] {
    [.isDone(false), .dueBefore(today)]
  }
}

extension Query<TodoItem> {
  /// The objects of the query that meet a condition too.
  func meeting(_ condition: ItemCondition) -> Query<TodoItem> {
    let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    return switch condition {
    case .text(let text):
      self.where {
        $0.title.contains(text, options: options) || $0.note.contains(text, options: options)
      }
    case .tag(let tag):
      self.where { $0.tags.any { $0.equals(tag, options: .caseInsensitive) } }
    case .list(.all): self
    case .list(.important): self.where { $0.isImportant }
    case .list(.group(let id)): self.where { $0.group == Ref(id) }
    case .list(.ungrouped): self.where { $0.group.isNil }
    case .priority(let priority): self.where { $0.priority == priority }
    case .due(let day): self.where { $0.due == day }
    case .dueBefore(let day): self.where { $0.due < day }
    case .dueAfter(let day): self.where { $0.due > day }
    case .hasNoDue: self.where { $0.due.isNil }
    case .isDone(let isDone): self.where { $0.isDone == isDone }
    }
  }
}
