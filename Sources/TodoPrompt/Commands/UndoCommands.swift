import TodoKit

struct UndoCommand: WordlessCommand {
  static let name = "undo"
  static let aliases = ["되돌리기"]
  static let summary = LocalizedText("Undoes the last command.", "마지막 명령을 되돌립니다.")
  static let details = [
    LocalizedText(
      "  The last \(HistoryLimits().commands) commands are kept, those of other programs too.",
      "  누가 실행했든 마지막 명령 \(HistoryLimits().commands)개를 되돌릴 수 있습니다.")
  ]

  func run(in session: Session) throws {
    let change: CommandResult
    do {
      change = try session.perform(.undo)
    } catch {
      throw try Self.explaining(CommandError(error), in: session)
    }
    let command = Self.text(of: change)
    let isNothing = change.items.isEmpty && change.groups.isEmpty
    let text =
      isNothing
      ? LocalizedText("Nothing was undone.", "되돌린 것이 없습니다.")
      : LocalizedText("Undone: \(command.english)", "되돌림: \(command.korean)")
    try session.say(change, text.followed(by: Self.leftAlone(by: change)))
  }

  /// What was not undone, or redone, because another machine changed it.
  fileprivate static func leftAlone(by change: CommandResult) -> [LocalizedText] {
    let left = change.leftAlone
    var lines: [LocalizedText] = []
    if !left.items.isEmpty || !left.groups.isEmpty {
      lines.append(
        LocalizedText("Left as it is, for another machine changed it since:", "다른 컴퓨터에서 바꾸어 그대로 둠:")
          .naming(left.items.map(\.title) + left.groups.map(\.name)))
    }
    if left.missing > 0 {
      lines.append(
        LocalizedText(
          "Deleted on another machine since: \(left.missing)", "다른 컴퓨터에서 삭제함: \(left.missing)"))
    }
    return lines
  }

  /// The error of an undo; with items or groups, it has a hint that older commands are not kept.
  private static func explaining(
    _ error: CommandError, in session: Session
  ) throws -> CommandError {
    guard case .storage(TodoError.nothingToUndo) = error.cause else { return error }
    let repository = try session.repository()
    let isEmpty = try repository.tally(of: .all).total == 0 && repository.groups().isEmpty
    let count = HistoryLimits().commands
    let hint = LocalizedText(
      "Only the last \(count) commands are kept; older ones cannot be undone.",
      "마지막 명령 \(count)개만 되돌릴 수 있습니다. 그 전의 것은 그대로 남습니다.")
    return isEmpty ? error : error.hinting(hint)
  }

  /// The command that was undone or redone, with the names of its items or groups.
  fileprivate static func text(of change: CommandResult) -> LocalizedText {
    let titles = change.items.map(\.title)
    let groups = change.groups.map(\.name)
    switch change.command {
    case .add(let newGroups, _):
      let added = LocalizedText("add", "추가").naming(titles)
      if newGroups.isEmpty { return added }
      let group = addedGroup.naming(groups)
      return titles.isEmpty ? group : added.and(group)
    case .editItems(let ids, let patch, _, let newGroup):
      // Of what was done again by itself there are other items; a command of many rows has no ids.
      let named = ids.isEmpty ? change.items : change.items.filter { ids.contains($0.id) }
      let edited = text(of: patch).naming(named.map(\.title))
      return newGroup == nil ? edited : edited.and(addedGroup.naming(groups))
    case .moveItems: return LocalizedText("move", "이동").naming(titles)
    case .deleteItems, .deleteAll: return LocalizedText("delete", "삭제").naming(titles)
    case .editGroup: return LocalizedText("change group", "그룹 수정").naming(groups)
    case .moveGroup: return LocalizedText("move group", "그룹 이동").naming(groups)
    case .deleteGroup:
      let count = LocalizedText.items(titles.count)
      let group = LocalizedText("delete group", "그룹 삭제").naming(groups)
      return titles.isEmpty
        ? group
        : LocalizedText("\(group.english) and \(count.english)", "\(group.korean), \(count.korean)")
    case .importItems:
      return titles.isEmpty
        ? LocalizedText("import group", "그룹 가져오기").naming(groups)
        : LocalizedText("import", "가져오기").naming(titles)
    case .ifUnchanged, .reusingGroups, .undo, .redo:
      preconditionFailure("The history holds commands as they were performed.")
    }
  }

  private static let addedGroup = LocalizedText("add group", "그룹 추가")

  private static func text(of patch: ItemPatch) -> LocalizedText {
    if patch.title != nil { return LocalizedText("edit", "수정") }
    if let isDone = patch.isDone {
      return isDone ? LocalizedText("done", "완료") : LocalizedText("not done", "완료 취소")
    }
    if let isImportant = patch.isImportant {
      return isImportant ? LocalizedText("star", "별표") : LocalizedText("unstar", "별표 해제")
    }
    if patch.priority != nil { return LocalizedText("priority", "중요도") }
    if let field = ItemField.all.first(where: { $0.isChanged(patch) }) { return field.change }
    if patch.addedTags != nil { return LocalizedText("tag", "태그") }
    if patch.removedTags != nil { return LocalizedText("untag", "태그 해제") }
    if patch.groupID != nil { return LocalizedText("move to group", "그룹으로 이동") }
    return LocalizedText("edit", "수정")
  }
}

struct RedoCommand: WordlessCommand {
  static let name = "redo"
  static let aliases = ["다시"]
  static let summary = LocalizedText("Redoes the last undone command.", "되돌린 명령을 다시 실행합니다.")

  func run(in session: Session) throws {
    let change = try session.perform(.redo)
    let command = UndoCommand.text(of: change)
    try session.say(
      change,
      LocalizedText("Redone: \(command.english)", "다시 실행: \(command.korean)")
        .followed(by: UndoCommand.leftAlone(by: change)))
  }
}

extension LocalizedText {
  /// The text, and another after a comma.
  fileprivate func and(_ other: LocalizedText) -> LocalizedText {
    LocalizedText("\(english), \(other.english)", "\(korean), \(other.korean)")
  }

  /// The text, followed by some of the names.
  fileprivate func naming(_ names: [String]) -> LocalizedText {
    let shown = names.prefix(3).map { "\"\($0.visible)\"" }.joined(separator: ", ")
    let more = names.count - 3
    return more > 0
      ? LocalizedText("\(english) \(shown) and \(more) more", "\(korean) \(shown) 외 \(more)개")
      : LocalizedText("\(english) \(shown)", "\(korean) \(shown)")
  }
}
