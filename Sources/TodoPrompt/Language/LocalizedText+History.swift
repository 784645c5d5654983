import TodoKit

/// Commands as undo and redo name them.
extension LocalizedText {
  static func takenBack(_ command: LocalizedText) -> LocalizedText {
    LocalizedText("Took back: \(command.english)", "되돌림: \(command.korean)")
  }

  static func doneAgain(_ command: LocalizedText) -> LocalizedText {
    LocalizedText("Did again: \(command.english)", "다시 실행: \(command.korean)")
  }

  /// A command, and what it was about.
  static func command(_ change: ItemListViewModel.Change) -> LocalizedText {
    let titles = change.items.map(\.title)
    let groups = change.groups.map(\.name)
    switch change.intent {
    case .add(let newGroups, _):
      return (newGroups.isEmpty ? LocalizedText("add", "추가") : LocalizedText("add group", "그룹 추가"))
        .naming(newGroups.isEmpty ? titles : groups)
    case .editItems(_, let patch, _): return edit(patch).naming(titles)
    case .moveItems: return LocalizedText("move", "이동").naming(titles)
    case .deleteItems, .deleteAll: return LocalizedText("delete", "삭제").naming(titles)
    case .editGroup: return LocalizedText("change group", "그룹 수정").naming(groups)
    case .moveGroup: return LocalizedText("move group", "그룹 이동").naming(groups)
    case .deleteGroup:
      let count = items(titles.count)
      let group = LocalizedText("delete group", "그룹 삭제").naming(groups)
      return titles.isEmpty
        ? group
        : LocalizedText("\(group.english) and \(count.english)", "\(group.korean), \(count.korean)")
    case .undo, .redo: preconditionFailure("The history holds no undo and no redo.")
    }
  }

  private static func edit(_ patch: ItemPatch) -> LocalizedText {
    if let isDone = patch.isDone {
      return isDone ? LocalizedText("done", "완료") : LocalizedText("undone", "완료 취소")
    }
    if let isImportant = patch.isImportant {
      return isImportant ? LocalizedText("star", "별표") : LocalizedText("unstar", "별표 해제")
    }
    if patch.priority != nil { return LocalizedText("priority", "중요도") }
    if patch.due != nil { return LocalizedText("due day", "마감일") }
    if patch.addedTags != nil { return LocalizedText("tag", "태그") }
    if patch.removedTags != nil { return LocalizedText("untag", "태그 해제") }
    if patch.groupID != nil { return LocalizedText("move to group", "그룹으로 이동") }
    return LocalizedText("edit", "수정")
  }

  /// The phrase with some of the names behind it.
  private func naming(_ names: [String]) -> LocalizedText {
    let shown = names.prefix(3).map { "\"\($0.visible)\"" }.joined(separator: ", ")
    let more = names.count - 3
    return more > 0
      ? LocalizedText("\(english) \(shown) and \(more) more", "\(korean) \(shown) 외 \(more)개")
      : LocalizedText("\(english) \(shown)", "\(korean) \(shown)")
  }
}
