package import Foundation

/// One task of a file, in fields that all formats share.
///
/// A reader makes it from bytes, and a writer makes bytes from it. The parts that only the format
/// of the file can represent are in `unknown`, verbatim, and the writer of that format writes them
/// again. The record is Codable, so a store can keep all of it as JSON, without the fields that have the values of a new record.
package struct TaskRecord: Hashable, Sendable {
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
  /// The recurrence.
  case repeats = "repeat"
  /// How long it is expected to take.
  case estimate
  /// The occurrence of a recurrence that it is, or those that are tasks of their own.
  case occurrences
  /// The task that it is a part of.
  case parent
  /// The depth of nesting.
  case level
  /// The order among others.
  case order
  /// The parts that only the format of the file can represent.
  case unknown

  /// A field that is one text, as a property of a record.
  typealias Text = (field: TaskField, text: any WritableKeyPath<TaskRecord, String?> & Sendable)

  /// The fields that are one text.
  static let texts: [Text] =
    [(.foreignID, \.foreignID), (.group, \.group), (.parent, \.parent)] + ownTexts
  /// Those that our own formats alone have.
  static let ownTexts: [Text] = [(.estimate, \.estimate)]

  /// The words for the field in a sentence.
  package var words: IssueText {
    switch self {
    case .foreignID: IssueText("id", "id")
    case .title: IssueText("title", "제목")
    case .notes: IssueText("notes", "메모")
    case .group: IssueText("group", "그룹")
    case .tags: IssueText("tags", "태그")
    case .isDone: IssueText("state", "완료 여부")
    case .isCancelled: IssueText("cancellation", "취소 여부")
    case .createdAt: IssueText("time of creation", "만든 때")
    case .doneAt: IssueText("time of completion", "완료한 때")
    case .due: IssueText("due date", "마감일")
    case .dueTime: IssueText("time of day of the due date", "마감 시각")
    case .start: IssueText("start date", "시작일")
    case .wait: IssueText("wait date", "숨김 날짜")
    case .priority: IssueText("priority", "중요도")
    case .isImportant: IssueText("star", "별표")
    case .repeats: IssueText("recurrence", "반복")
    case .estimate: IssueText("estimate", "예상 시간")
    case .occurrences: IssueText("occurrences", "반복의 하나하나")
    case .parent: IssueText("parent", "상위 할일")
    case .level: IssueText("nesting", "들여쓰기")
    case .order: IssueText("order", "순서")
    case .unknown:
      IssueText("other properties of the file it came from", "원래 파일의 다른 속성")
    }
  }

  /// The fields that a table can have, in the order in which their columns are written.
  static let ofTables: [TaskField] = [
    .foreignID, .title, .isDone, .isImportant, .priority, .group, .due, .tags, .notes, .createdAt,
    .doneAt, .repeats, .wait, .estimate, .isCancelled, .start, .parent, .level, .order,
  ]

  /// What other programs and people call the fields as columns of a table.
  static let otherNames: [TaskField: Set<String>] = [
    .foreignID: ["uid", "uuid", "task id", "taskid"],
    .title: [
      "task", "name", "summary", "subject", "content", "to-do", "todo", "task name", "제목", "할 일",
      "할일", "작업",
    ],
    .isDone: ["done", "completed", "complete", "is completed", "checked", "완료"],
    .isImportant: ["important", "starred", "star", "flagged", "중요"],
    .priority: ["pri", "우선순위", "중요도"],
    .group: ["list", "project", "category", "folder", "list name", "그룹", "목록", "프로젝트"],
    .due: ["due date", "deadline", "date", "due on", "마감", "마감일", "기한"],
    .tags: ["tag", "labels", "label", "태그"],
    .notes: ["notes", "description", "comment", "comments", "details", "메모", "설명"],
    .createdAt: ["created", "created at", "created time", "creation date", "생성일"],
    .doneAt: [
      "completed at", "completed time", "completion date", "done at", "completed on", "완료일",
    ],
    .start: ["start date", "begin", "시작일"],
    .wait: ["wait date", "hidden until"],
    .repeats: ["recurrence", "recurring", "repeats", "반복"],
    .estimate: ["estimated time", "duration", "예상", "예상 시간"],
    .parent: ["parent id", "parentid", "parent task"],
  ]
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
