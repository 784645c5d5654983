import Foundation

/// A field of a record, for telling what a format cannot say.
package enum TaskField: String, Hashable, Codable, Sendable, CaseIterable {
  /// The id in the file.
  case foreignID = "id"
  /// The title.
  case title
  /// The notes.
  case notes
  /// The group.
  case group
  /// The tags.
  case tags
  /// Whether it has been done.
  case isDone
  /// Whether it was given up.
  case isCancelled
  /// The time at which it was made.
  case createdAt
  /// The time at which it was done.
  case doneAt
  /// The due date.
  case due
  /// The date on which it begins.
  case start
  /// The date until which it is hidden.
  case wait
  /// The priority.
  case priority
  /// The star.
  case isImportant
  /// The repetition.
  case repeats = "repeat"
  /// The task that it is a part of.
  case parent
  /// The depth of nesting.
  case level
  /// The place among others.
  case order
  /// What only the format of its file can say.
  case unknown

  /// The words for the field in a sentence.
  package var words: String {
    switch self {
    case .foreignID: "id"
    case .isDone: "state"
    case .isCancelled: "cancellation"
    case .createdAt: "time of creation"
    case .doneAt: "time of completion"
    case .due: "due date"
    case .start: "start date"
    case .wait: "wait date"
    case .isImportant: "star"
    case .repeats: "repetition"
    case .level: "nesting"
    case .unknown: "further properties of the file it came from"
    case .title, .notes, .group, .tags, .priority, .parent, .order: rawValue
    }
  }
}

/// How exactly a format keeps the times at which tasks were made and done.
enum TimePrecision {
  /// To the second.
  case seconds
  /// To the day, in a time zone.
  case days(TimeZone)

  func areEqual(_ one: Date?, _ other: Date?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    switch self {
    case .seconds: return one.wholeSeconds == other.wholeSeconds
    case .days(let zone):
      return TaskDate(day: one, in: zone) == TaskDate(day: other, in: zone)
    }
  }
}

extension TaskRecord {
  /// The fields in which another record says something else, `unknown` not counted.
  func differences(from other: TaskRecord, precision: TimePrecision) -> [TaskField] {
    var fields: [TaskField] = []
    func compare(_ field: TaskField, _ isEqual: Bool) {
      if !isEqual { fields.append(field) }
    }
    compare(.foreignID, foreignID == other.foreignID)
    compare(.title, title == other.title)
    compare(
      .notes,
      notes.count == other.notes.count
        && zip(notes, other.notes).allSatisfy {
          $0.text == $1.text && precision.areEqual($0.date, $1.date)
        })
    compare(.group, group == other.group)
    compare(.tags, tags == other.tags)
    compare(.isDone, isDone == other.isDone)
    compare(.isCancelled, isCancelled == other.isCancelled)
    compare(.createdAt, precision.areEqual(createdAt, other.createdAt))
    compare(.doneAt, precision.areEqual(doneAt, other.doneAt))
    compare(.due, due == other.due)
    compare(.start, start == other.start)
    compare(.wait, wait == other.wait)
    compare(.priority, priority == other.priority)
    compare(.isImportant, isImportant == other.isImportant)
    compare(.repeats, repeats == other.repeats)
    compare(.parent, parent == other.parent)
    compare(.level, level == other.level)
    compare(.order, order == other.order)
    return fields
  }
}
