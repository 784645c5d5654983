import TodoKit

/// What a command did. A label is the item's number in the list, or its short id.
extension LocalizedText {
  /// - Parameter extras: What else was understood, as lists show it; a day always.
  static func added(_ label: String, _ title: String, _ extras: LocalizedText) -> LocalizedText {
    LocalizedText(
      "Added \(label): \(title)\(extras.english)", "추가 \(label): \(title)\(extras.korean)")
  }

  /// Everything was so already, so there is nothing to take back either.
  static func nothingToChange(_ name: String) -> LocalizedText {
    LocalizedText("Nothing to change: \(name)", "바꿀 것 없음: \(name)")
  }

  static func done(_ label: String, _ title: String) -> LocalizedText {
    LocalizedText("Done \(label): \(title)", "완료 \(label): \(title)")
  }

  static func undone(_ label: String, _ title: String) -> LocalizedText {
    LocalizedText("Not done \(label): \(title)", "완료 취소 \(label): \(title)")
  }

  static func retitled(_ label: String, from old: String, to new: String) -> LocalizedText {
    LocalizedText("Changed \(label): \(old) -> \(new)", "수정 \(label): \(old) -> \(new)")
  }

  static func prioritised(_ label: String, _ priority: Priority, _ title: String) -> LocalizedText {
    let name = LocalizedText.priority(priority)
    return LocalizedText(
      "Priority \(name.english) \(label): \(title)", "중요도 \(name.korean) \(label): \(title)")
  }

  static func starred(_ label: String, _ title: String) -> LocalizedText {
    LocalizedText("Starred \(label): \(title)", "별표 \(label): \(title)")
  }

  static func unstarred(_ label: String, _ title: String) -> LocalizedText {
    LocalizedText("Not starred \(label): \(title)", "별표 해제 \(label): \(title)")
  }

  static func due(_ label: String, _ day: CalendarDay?, _ title: String) -> LocalizedText {
    guard let day else {
      return LocalizedText("No due day \(label): \(title)", "마감일 없음 \(label): \(title)")
    }
    let name = LocalizedText.day(day)
    return LocalizedText(
      "Due \(name.english) \(label): \(title)", "마감일 \(name.korean) \(label): \(title)")
  }

  /// - Parameter tags: All that the item has now.
  static func tagged(_ label: String, _ tags: [String], _ title: String) -> LocalizedText {
    if tags.isEmpty {
      return LocalizedText("No tags \(label): \(title)", "태그 없음 \(label): \(title)")
    }
    let words = tags.map(\.asTag).joined(separator: " ")
    return LocalizedText("Tags \(words) \(label): \(title)", "태그 \(words) \(label): \(title)")
  }

  static func moved(_ label: String, _ title: String, _ place: LocalizedText) -> LocalizedText {
    LocalizedText(
      "Moved \(label): \(title) -> \(place.english)", "이동 \(label): \(title) -> \(place.korean)")
  }

  static let atTheTop = LocalizedText("top", "맨 위")
  static let atTheBottom = LocalizedText("bottom", "맨 아래")

  static func before(_ name: String) -> LocalizedText {
    LocalizedText("before \"\(name)\"", "\"\(name)\" 앞")
  }

  static func after(_ name: String) -> LocalizedText {
    LocalizedText("after \"\(name)\"", "\"\(name)\" 뒤")
  }

  /// - Parameter group: The group that the items are in now; nil for none.
  static func filed(_ label: String, _ title: String, in group: String?) -> LocalizedText {
    guard let group else {
      return LocalizedText("No group \(label): \(title)", "그룹 없음 \(label): \(title)")
    }
    return LocalizedText("Group \(group) \(label): \(title)", "그룹 \(group) \(label): \(title)")
  }

  /// - Parameter isLast: Whether to say, behind it, how the deletion is taken back.
  static func deleted(_ title: String, isLast: Bool, count: Int) -> LocalizedText {
    let hint = isLast ? takeBackHint(count) : LocalizedText("", "")
    return LocalizedText("Deleted \"\(title)\".\(hint.english)", "\"\(title)\" 삭제함.\(hint.korean)")
  }

  static func deletedAll(_ count: Int) -> LocalizedText {
    let hint = takeBackHint(count)
    return LocalizedText(
      "Deleted \(items(count).english).\(hint.english)", "\(items(count).korean) 삭제함.\(hint.korean)"
    )
  }

  static func deletedGroup(_ name: String, _ count: Int) -> LocalizedText {
    let hint = takeBackHint(count + 1)
    if count == 0 {
      return LocalizedText(
        "Deleted group \"\(name)\".\(hint.english)", "\"\(name)\" 그룹 삭제함.\(hint.korean)")
    }
    return LocalizedText(
      "Deleted group \"\(name)\" and \(items(count).english).\(hint.english)",
      "\"\(name)\" 그룹과 \(items(count).korean) 삭제함.\(hint.korean)")
  }

  private static func takeBackHint(_ count: Int) -> LocalizedText {
    LocalizedText(
      count == 1 ? " undo to bring it back." : " undo to bring them back.", " undo로 되돌릴 수 있습니다.")
  }

  /// - Parameter list: The name of the list; nil for all items there are.
  static func nothingToDelete(in list: LocalizedText?) -> LocalizedText {
    guard let list else {
      return LocalizedText("There is nothing to delete.", "삭제할 할일이 없습니다.")
    }
    return LocalizedText(
      "There is nothing to delete in \"\(list.english)\".",
      "\"\(list.korean)\"에 삭제할 할일이 없습니다.")
  }

  static let nothingDeleted = LocalizedText("Nothing was deleted.", "아무것도 삭제하지 않았습니다.")
}
