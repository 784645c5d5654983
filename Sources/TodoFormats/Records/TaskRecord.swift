package import Foundation

/// One task of a file, in fields that all formats share.
///
/// A reader makes it from bytes, and a writer makes bytes from it. The parts that only the format
/// of the file can represent are in `unknown`, verbatim, and the writer of that format writes them
/// again. The record is Codable, so a store can keep all of it as JSON.
package struct TaskRecord: Hashable, Codable, Sendable {
  /// The id that the file gives the task; nil if the format or the file has none.
  package var foreignID: String?
  /// The title, on one line.
  package var title: String
  /// Further texts, each with the time at which it was written, where the format has one.
  package var notes: [TaskNote] = []
  /// The list, project or section that the task is in.
  package var group: String?
  /// The tags, without the signs that formats put before them.
  package var tags: [String] = []
  /// Whether the task has been done.
  package var isDone = false
  /// Whether the task was given up or deleted without having been done.
  package var isCancelled = false
  /// When the task was made; the first moment of the day in formats that store only days.
  package var createdAt: Date?
  /// When the task was done.
  package var doneAt: Date?
  /// The day by which the task is due, with a time of day where there is one.
  package var due: TaskDate?
  /// The day on which work on the task begins.
  package var start: TaskDate?
  /// The day until which the task is hidden.
  package var wait: TaskDate?
  /// How urgent the task is.
  package var priority: TaskPriority = .none
  /// Whether the task has a star.
  package var isImportant = false
  /// How long the task is expected to take, such as `1h30m`.
  package var estimate: String?
  /// How the task repeats.
  package var repeats: TaskRepeat?
  /// The occurrence of a recurrence that the task is, as its file names it; nil for other tasks.
  ///
  /// The recurrence and its occurrences have one id.
  package var occurrence: String?
  /// The occurrences of this recurrence that are tasks of their own in the file; nil without any.
  package var otherOccurrences: [TaskDate]?
  /// The id in the file of the task that this one is a part of.
  package var parent: String?
  /// How deep the task is nested below the ones before it, where the format nests without ids.
  package var level = 0
  /// The rank of the task among others, where the format numbers them.
  package var order: Int64?
  /// The format that `unknown` is written in; nil where `unknown` is empty.
  package var source: TaskFormat?
  /// The name of the time zone in which the file was read; nil for that of the reader.
  ///
  /// The code that stores a record sets it; days and times without a zone are in this zone.
  package var readingZone: String?
  /// The version of the code that read the record when it was stored; nil before versions were counted.
  package var readerVersion: Int?
  /// The parts of the task that no other field can represent, in the order of the file.
  package var unknown: [Part] = []

  /// Makes an open task of a title.
  package init(title: String) { self.title = title }

  /// The text of the recurrence, where it is in a language; nil for another one or none.
  func repeatText(in kind: TaskRepeat.Kind) -> String? {
    repeats.flatMap { $0.kind == kind ? $0.text : nil }
  }

  /// The time zone in which the file was read.
  ///
  /// - Parameter reader: The time zone of the reader, for a record without one.
  package func timeZone(of reader: TimeZone) -> TimeZone {
    readingZone.flatMap { TimeZone(identifier: $0) } ?? reader
  }

  /// A named piece of a task, as its format writes it.
  package struct Part: Hashable, Codable, Sendable {
    /// The name of the property, attribute, column or field.
    package var name: String
    /// The verbatim text, which only a writer of the same format understands.
    package var text: String

    /// Makes a piece of a name and a text.
    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }

    /// Whether two pieces have the same bytes: equal strings may differ in their normal form.
    func isSame(as other: Part) -> Bool {
      name == other.name && text.utf8.elementsEqual(other.text.utf8)
    }
  }
}

/// A text about a task, with the time at which it was written.
package struct TaskNote: Hashable, Codable, Sendable {
  /// The text; it may have several lines.
  package var text: String
  /// When it was written; nil where the format does not say.
  package var date: Date?

  /// Makes a note.
  package init(_ text: String, at date: Date? = nil) {
    self.text = text
    self.date = date
  }
}

/// How urgent a task is, from low to high; `none` if no priority was chosen.
///
/// The raw values are the English words of our own files, and those of an item's priority.
package enum TaskPriority: String, Hashable, Codable, Sendable, CaseIterable {
  /// No priority was chosen.
  case none
  /// Less urgent than usual.
  case low
  /// The usual urgency.
  case normal
  /// More urgent than usual.
  case high
}

/// How a task repeats, in the words of a format.
package struct TaskRepeat: Hashable, Codable, Sendable {
  /// The language that the text is in.
  package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    /// The value of `rec:` in todo.txt, such as `+1w`.
    case rec
    /// The attribute `recur` of Taskwarrior, such as `weekly`.
    case recur
    /// The value of RRULE in iCalendar, such as `FREQ=WEEKLY`.
    case rrule
    /// A phrase in a natural language, such as `every week`.
    case phrase
  }

  /// The language of the text.
  package var kind: Kind
  /// The text.
  package var text: String

  /// Makes a repetition of a text.
  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
