import TodoKit

/// Commands as undo and redo name them.
extension Phrase {
  static func takenBack(_ command: Phrase) -> Phrase {
    Phrase("Took back: \(command.english)", "되돌림: \(command.korean)")
  }

  static func doneAgain(_ command: Phrase) -> Phrase {
    Phrase("Did again: \(command.english)", "다시 실행: \(command.korean)")
  }

  /// A command, and what it was about.
  static func command(_ change: ItemListViewModel.Change) -> Phrase {
    let titles = change.items.map(\.title)
    let groups = change.groups.map(\.name)
    switch change.command {
    case .add(let newGroups, _):
      return (newGroups.isEmpty ? Phrase("add", "추가") : Phrase("add group", "그룹 추가"))
        .naming(newGroups.isEmpty ? titles : groups)
    case .editItems(_, let patch, _): return edit(patch).naming(titles)
    case .moveItems: return Phrase("move", "이동").naming(titles)
    case .deleteItems, .deleteAll: return Phrase("delete", "삭제").naming(titles)
    case .editGroup: return Phrase("change group", "그룹 수정").naming(groups)
    case .moveGroup: return Phrase("move group", "그룹 이동").naming(groups)
    case .deleteGroup:
      let count = items(titles.count)
      let group = Phrase("delete group", "그룹 삭제").naming(groups)
      return titles.isEmpty
        ? group
        : Phrase("\(group.english) and \(count.english)", "\(group.korean), \(count.korean)")
    case .undo, .redo: preconditionFailure("The history holds no undo and no redo.")
    }
  }

  private static func edit(_ patch: ItemPatch) -> Phrase {
    if let isDone = patch.isDone {
      return isDone ? Phrase("done", "완료") : Phrase("undone", "완료 취소")
    }
    if let isImportant = patch.isImportant {
      return isImportant ? Phrase("star", "별표") : Phrase("unstar", "별표 해제")
    }
    if patch.priority != nil { return Phrase("priority", "중요도") }
    if patch.due != nil { return Phrase("due day", "마감일") }
    if patch.addedTags != nil { return Phrase("tag", "태그") }
    if patch.removedTags != nil { return Phrase("untag", "태그 해제") }
    if patch.groupID != nil { return Phrase("move to group", "그룹으로 이동") }
    return Phrase("edit", "수정")
  }

  /// The phrase with some of the names behind it.
  private func naming(_ names: [String]) -> Phrase {
    let shown = names.prefix(3).map { "\"\($0.visible)\"" }.joined(separator: ", ")
    let more = names.count - 3
    return more > 0
      ? Phrase("\(english) \(shown) and \(more) more", "\(korean) \(shown) 외 \(more)개")
      : Phrase("\(english) \(shown)", "\(korean) \(shown)")
  }
}
