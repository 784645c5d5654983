public import CroftFoundation

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
}
