import TodoFormats
import TodoKit

/// `rm ITEM...` and `rm --all [GROUP]`: deletes items.
///
/// One or two items are deleted without a question, because `undo` restores them. If no user can be
/// asked, every deletion needs `--yes`.
struct RemoveCommand: Command {
  static let name = "rm"
  static let aliases = ["delete", "del", "remove", "삭제"]
  static let synopsis = """
    rm ITEM... [--yes]
    rm --all [GROUP|important|none] [--yes]
    """
  static let example = "rm 3"
  static let summary = LocalizedText("Deletes items; asks for 3 or more.", "할일을 삭제합니다. 셋부터 묻습니다.")
  static let details = [
    LocalizedText(
      """
        e at the question asks about each item: y or n, a for it and all after it, q for it and \
      none after it. Where nobody can be asked, as in a script, each rm needs --yes.
      """,
      """
        물을 때 e를 쓰면 하나씩 묻습니다: y나 n, a는 이것부터 모두, q는 이것부터 그만. 스크립트처럼 물을 수 \
      없는 곳에서는 항상 --yes가 필요합니다.
      """)
  ]
  static let options: [OptionSyntax] = [.flag("--all")]
  /// The maximum number of items that are deleted without a question.
  private static let unaskedMax = 2

  enum Target: Equatable {
    case items([String])
    /// All items of a list, by its name; nil for all items.
    case all(list: String?)
  }

  let target: Target

  func run(in session: Session) throws {
    switch target {
    case .items(let words):
      try Self.delete(session.select(words), command: Self.name, in: session)
    case .all(let name): try deleteAll(of: name, in: session)
    }
  }

  /// Asks where there are several, or nobody can be asked, and deletes items.
  static func delete(_ selected: [SelectedItem], command: String, in session: Session) throws {
    let isAsked = selected.count > unaskedMax || session.questions == nil
    let selected =
      isAsked
      ? try session.confirmed(
        selected, by: question(selected.count), each: question, command: command) : selected
    let items = selected.map(\.item)
    var action = TodoAction.delete(items.map(\.id))
    if isAsked { action = .ifUnchanged(ExpectedState(items: items), then: action) }
    let change = try session.perform(action, about: items)
    if change.items.count > Session.answersMax, session.preferences.output.records == nil {
      return session.say(deleted(change))
    }
    var left = change.items.count
    try session.say(change.items, as: selected) { _, item in
      left -= 1
      let hint = left == 0 ? LocalizedText.undoHint(of: change) : LocalizedText("", "")
      let title = item.title.visible
      return LocalizedText(
        "Deleted \"\(title)\".\(hint.english)", "\"\(title)\" 삭제함.\(hint.korean)")
    }
  }

  /// Deletes what a list contains: the items that it held when a question was asked, else all.
  private func deleteAll(of name: String?, in session: Session) throws {
    let selected = try session.selectList(name)
    let isAsked = !session.preferences.assumesYes
    // Without a question nobody has to know what they are.
    let repository = try session.repository()
    let items = try isAsked ? repository.items(in: selected.list, .all) : []
    let total = try isAsked ? items.count : repository.tally(of: selected.list).total
    let listName = name == nil ? nil : selected.name.visible
    if total == 0 { return try session.sayNothing(Self.nothingToDelete(in: listName)) }
    var action = TodoAction.deleteAll(selected.list, .all)
    if isAsked {
      guard let questions = session.questions else {
        throw CommandError(.deletingNeedsYes("rm --all"))
      }
      let question = Self.questionForAll(of: listName, items.count)
      guard questions.confirm(question, byTyping: items.count) else {
        throw CommandError(.nothingDeleted)
      }
      action = .ifUnchanged(ExpectedState(items: items), then: .delete(items.map(\.id)))
    }
    let change = try session.perform(action, about: items)
    guard let format = session.preferences.output.records else {
      return session.say(Self.deleted(change))
    }
    let numbers = change.items.map { session.listed.number(of: $0.id) }
    try session.say(change.items, numbers: numbers, as: format)
  }
}

extension RemoveCommand {
  init(_ input: CommandInput) throws {
    let words = input.allWords
    if input.options["--all"] != nil {
      target = .all(list: words.isEmpty ? nil : words.joined(separator: " "))
    } else {
      target = .items(try Self.targets(in: words))
    }
  }

  static func question(_ count: Int) -> LocalizedText {
    LocalizedText(
      count == 1 ? "Delete this item? [y/N] " : "Delete these \(count) items? [y/N/e] ",
      count == 1 ? "이 할일을 삭제할까요? [y/N] " : "할일 \(count)개를 삭제할까요? [y/N/e] ")
  }

  private static func question(_ selected: SelectedItem) -> LocalizedText {
    let title = selected.item.title.visible
    return LocalizedText(
      "Delete \"\(title)\"? [y/N/a/q] ", "\(title.inQuotes(.object)) 삭제할까요? [y/N/a/q] ")
  }

  /// - Parameter list: The name of the list; nil for all items.
  static func questionForAll(of list: LocalizedText?, _ count: Int) -> LocalizedText {
    let items = LocalizedText.items(count)
    let number = LocalizedText(" Type \(count) to do it: ", " 삭제하려면 숫자 \(count) 입력: ")
    guard let list else {
      return LocalizedText(
        "Delete all \(items.english)?\(number.english)",
        "\(items.korean)를 모두 삭제할까요?\(number.korean)")
    }
    return LocalizedText(
      "Delete \(items.english) of \"\(list.english)\"?\(number.english)",
      "\"\(list.korean)\"의 \(items.korean)를 삭제할까요?\(number.korean)")
  }

  private static func deleted(_ change: CommandResult) -> LocalizedText {
    let items = LocalizedText.items(change.items.count)
    let hint = LocalizedText.undoHint(of: change)
    return LocalizedText(
      "Deleted \(items.english).\(hint.english)", "\(items.korean) 삭제함.\(hint.korean)")
  }

  private static func nothingToDelete(in list: LocalizedText?) -> LocalizedText {
    guard let list else {
      return LocalizedText("There is nothing to delete.", "삭제할 할일이 없습니다.")
    }
    return LocalizedText(
      "There is nothing to delete in \"\(list.english)\".",
      "\"\(list.korean)\"에 삭제할 할일이 없습니다.")
  }
}

extension LocalizedText {
  /// The hint after the answer to a deletion: how to undo it, or that it cannot be undone.
  static func undoHint(of change: CommandResult) -> LocalizedText {
    guard change.isUndoable else {
      return LocalizedText(
        " It cannot be undone: no history is kept.", " 실행 기록이 없어 되돌릴 수 없습니다.")
    }
    return LocalizedText(
      change.items.count + change.groups.count == 1
        ? " undo to bring it back." : " undo to bring them back.",
      " undo로 되돌릴 수 있습니다.")
  }

  static let nothingDeleted = LocalizedText("Nothing was deleted.", "아무것도 삭제하지 않았습니다.")

  static func deletingNeedsYes(_ command: String) -> LocalizedText {
    LocalizedText(
      "Nobody can be asked here, so \(command) needs --yes.",
      "여기서는 물어볼 수 없으므로 \(command)에는 --yes가 필요합니다.")
  }
}
