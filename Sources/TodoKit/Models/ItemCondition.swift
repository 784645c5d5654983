import Croft
public import CroftFoundation

/// A condition on an item, as people narrow a list with it; several must all hold.
///
/// ``words(_:texts:)`` makes those of what is typed into a search.
public enum ItemCondition: Hashable, Sendable {
  /// The title or the note matches a search, such as `우유 sale*`.
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
  /// It is open, and its day has passed, or its time on the day it is.
  case overdue(CalendarDay, TimeOfDay)
  /// It has no day.
  case hasNoDue
  /// It is expected to take so long; nil for one of which nobody has said how long.
  case estimate(Estimate?)
  /// It is done, or not.
  case isDone(Bool)
  /// It was completed at a moment or later, and before another one; nil for any end.
  case completed(from: Date, before: Date?)
  /// It is open, and hidden until a day after this one.
  case isWaiting(CalendarDay)
  /// It does not meet a condition.
  indirect case not(ItemCondition)
  /// It satisfies at least one of some conditions.
  case any([ItemCondition])
  /// It satisfies all of some conditions.
  case all([ItemCondition])

  /// The condition on the columns of an item.
  func condition(on item: QueryColumn<TodoItem, TodoItem>) -> QueryCondition<TodoItem> {
    switch self {
    case .text(let text):
      let search = TextSearch(text)
      return item.title.matches(search) || item.note.matches(search)
    case .tag(let tag):
      return item.tags.any { $0.equals(tag, options: .caseInsensitive) }
    // Every item has an order key of at least this.
    case .list(.all): return item.order >= .min
    case .list(.important): return item.isImportant.condition
    case .list(.group(let id)): return item.group == Ref(id)
    case .list(.ungrouped): return item.group.isNil
    case .priority(let priority): return item.priority == priority
    case .due(let day): return item.due == day
    case .dueBefore(let day): return item.due < day
    case .dueAfter(let day): return item.due > day
    case .overdue(let day, let time):
      return !item.isDone && (item.due < day || item.due == day && item.dueTime < time)
    case .hasNoDue: return item.due.isNil
    case .estimate(let estimate?): return item.estimate == estimate
    case .estimate(nil): return item.estimate.isNil
    case .isDone(let isDone): return item.isDone == isDone
    case .completed(let start, nil): return item.doneAt >= start
    case .completed(let start, let end?): return item.doneAt >= start && item.doneAt < end
    case .isWaiting(let day): return item.hiddenUntil > day && !item.isDone
    case .not(let condition): return !condition.condition(on: item)
    case .any(let conditions):
      guard let first = conditions.first else { return item.order < .min }
      return conditions.dropFirst().reduce(first.condition(on: item)) {
        $0 || $1.condition(on: item)
      }
    case .all(let conditions):
      guard let first = conditions.first else { return item.order >= .min }
      return conditions.dropFirst().reduce(first.condition(on: item)) {
        $0 && $1.condition(on: item)
      }
    }
  }
}

extension ItemCondition {
  /// What words ask for that people type: each must be found, and the last may be unfinished.
  ///
  /// A word may have white space, which makes it a phrase; `OR` joins those beside it.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - texts: Further words, none of which is `OR`.
  public static func words(_ words: [String], texts: [String] = []) -> [ItemCondition] {
    var searches: [String] = []
    var joins = false
    for (ordinal, word) in words.enumerated() {
      if word == "OR", !joins, !searches.isEmpty, ordinal + 1 < words.count {
        joins = true
      } else if joins {
        searches[searches.count - 1] += " OR " + term(of: word)
        joins = false
      } else {
        searches.append(term(of: word))
      }
    }
    searches += texts.map(quoted)
    if let last = searches.popLast() { searches.append(TextSearch(last, .asTyped).query) }
    return searches.map { .text($0) }
  }

  /// The term of a search for a word, which is not read as an exclusion or as several terms.
  private static func term(of word: String) -> String {
    let isTerm = !word.hasPrefix("-") && !word.contains { $0.isWhitespace || isQuotationMark($0) }
    return isTerm ? word : quoted(word)
  }

  /// A term of which all is text; a quotation mark in it would end it.
  private static func quoted(_ text: String) -> String {
    "\"" + String(text.map { isQuotationMark($0) ? " " : $0 }) + "\""
  }

  /// Whether a search reads a character as the beginning or the end of a phrase.
  private static func isQuotationMark(_ character: Character) -> Bool {
    character.unicodeScalars.contains { ["\"", "\u{201C}", "\u{201D}"].contains($0) }
  }
}
