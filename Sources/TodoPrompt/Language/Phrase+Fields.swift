import TodoKit

/// The fields of one item, as `show` names them.
extension Phrase {
  static let titleField = Phrase("Title", "제목")
  static let doneField = Phrase("Done", "완료")
  static let priorityField = Phrase("Priority", "중요도")
  static let importantField = Phrase("Important", "중요")
  static let groupField = Phrase("Group", "그룹")
  static let dueField = Phrase("Due", "마감일")
  static let tagsField = Phrase("Tags", "태그")
  static let noteField = Phrase("Note", "메모")
  static let createdField = Phrase("Created", "만든 때")
  static let idField = Phrase("ID", "ID")

  static func yesOrNo(_ isYes: Bool) -> Phrase {
    isYes ? Phrase("yes", "예") : Phrase("no", "아니요")
  }
}
