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
