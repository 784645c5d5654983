import TodoKit

/// What a command did. A label is the item's number in the list, or its short id.
extension Phrase {
  static func added(_ label: String, _ title: String) -> Phrase {
    Phrase("Added \(label): \(title)", "추가 \(label): \(title)")
  }

  static func done(_ label: String, _ title: String) -> Phrase {
    Phrase("Done \(label): \(title)", "완료 \(label): \(title)")
  }

  static func undone(_ label: String, _ title: String) -> Phrase {
    Phrase("Not done \(label): \(title)", "완료 취소 \(label): \(title)")
  }

  static func retitled(_ label: String, from old: String, to new: String) -> Phrase {
    Phrase("Changed \(label): \(old) -> \(new)", "수정 \(label): \(old) -> \(new)")
  }

  static func prioritised(_ label: String, _ priority: Priority, _ title: String) -> Phrase {
    let name = Phrase.priority(priority)
    return Phrase(
      "Priority \(name.english) \(label): \(title)", "중요도 \(name.korean) \(label): \(title)")
  }

  static func deleted(_ label: String, _ title: String) -> Phrase {
    Phrase("Deleted \(label): \(title)", "삭제 \(label): \(title)")
  }

  static let nothingDeleted = Phrase("Nothing was deleted.", "아무것도 삭제하지 않았습니다.")
}
