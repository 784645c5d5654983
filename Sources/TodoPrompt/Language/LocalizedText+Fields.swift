import TodoKit

/// The fields of one item, as `show` names them.
extension LocalizedText {
  static let titleField = LocalizedText("Title", "제목")
  static let doneField = LocalizedText("Done", "완료")
  static let priorityField = LocalizedText("Priority", "중요도")
  static let importantField = LocalizedText("Important", "중요")
  static let groupField = LocalizedText("Group", "그룹")
  static let dueField = LocalizedText("Due", "마감일")
  static let tagsField = LocalizedText("Tags", "태그")
  static let noteField = LocalizedText("Note", "메모")
  static let createdField = LocalizedText("Created", "만든 때")
  static let idField = LocalizedText("ID", "ID")

  static func yesOrNo(_ isYes: Bool) -> LocalizedText {
    isYes ? LocalizedText("yes", "예") : LocalizedText("no", "아니요")
  }
}
