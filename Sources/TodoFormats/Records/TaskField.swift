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
    case .occurrences: IssueText("occurrences", "반복의 하나하나")
    case .parent: IssueText("parent", "상위 할일")
    case .level: IssueText("nesting", "들여쓰기")
    case .order: IssueText("order", "순서")
    case .unknown:
      IssueText("other properties of the file it came from", "원래 파일의 다른 속성")
    }
  }
}
