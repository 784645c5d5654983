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
  /// The time of day of the due date.
  case dueTime
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
    case .dueTime: "time of day of the due date"
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
