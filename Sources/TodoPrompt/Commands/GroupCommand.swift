import LineEditing
import TodoFormats
import TodoKit

struct GroupCommand: Command {
  static let name = "group"
  static let aliases = ["그룹"]
  static let synopsis = """
    group
    group add NAME [--color '#rrggbb']
    group edit GROUP [--name NAME] [--color '#rrggbb']
    group image GROUP FILE|drawn|none
    group image GROUP save FILE [--force]
    group mv GROUP top|bottom
    group mv GROUP before|after GROUP
    group rm GROUP [--yes]
    """
  static let example = "group add home --color '#ff8800'"
  static let summary = LocalizedText("Lists and changes groups.", "그룹을 보여 주고 바꿉니다.")
  static let details = [LocalizedText.groupsHelp, MoveTarget.help]
  static let options: [OptionSyntax] = [.value("--name", valueName: "name"), .flag("--force")]
  static let actions = ["add", "edit", "image", "mv", "rm"]
  static let koreanActions: KeyValuePairs = [
    "추가": "add", "수정": "edit", "그림": "image", "이동": "mv", "삭제": "rm",
  ]

  enum Action: Equatable {
    case list
    case add(name: String, color: RGBA?)
    case edit(group: String, name: String?, color: RGBA?)
    case image(group: String, source: String)
    case saveImage(group: String, path: String, replaces: Bool)
    case move(group: String, place: MoveTarget)
    case remove(group: String)
  }

  let action: Action

  var takesGroupColor: Bool {
    switch action {
    case .add, .edit: true
    case .list, .image, .saveImage, .move, .remove: false
    }
  }

  var isPaged: Bool { action == .list }

  func run(in session: Session) throws {
    switch action {
    case .list: try list(in: session)
    case .add(let name, let color):
      if let group = try session.groups().find(name) {
        throw CommandError(
          "There is a group \"\(group.name.visible)\" already.",
          "\"\(group.name.visible)\" 그룹이 이미 있습니다.")
      }
      let draft = GroupDraft(name: name, color: color)
      let result = try session.perform(.addGroup(draft))
      let stored = result.groups[0].name.visible
      try say(
        LocalizedText("Added group \"\(stored)\"", "그룹 추가 \"\(stored)\""), result, in: session)
    case .edit(let name, let newName, let color):
      let old = try session.groups().group(name)
      let patch = GroupPatch(name: newName, color: color)
      let result = try session.perform(.editGroup(old.id, patch))
      let new = result.groups[0].name.visible
      try say(Self.changed(old.name.visible, to: new, color: color), result, in: session)
    case .image(let name, let source): try setImage(of: name, from: source, in: session)
    case .saveImage(let name, let path, let replaces):
      try saveImage(of: name, to: path, replaces: replaces, in: session)
    case .move(let name, let target): try move(name, to: target, in: session)
    case .remove(let name): try remove(name, in: session)
    }
  }

  private func list(in session: Session) throws {
    let groups = try session.repository().groups()
    let output = session.environment.output
    if let format = session.preferences.output.records {
      session.say(groups.map { ($0.group, $0.tally) }, as: format)
    } else {
      let important = try session.repository().tally(of: .important)
      let table = GroupTable(
        groups: groups, important: important, language: session.preferences.language,
        styler: session.styler(for: output), columns: session.resultColumns,
        glyphs: session.glyphs)
      // Without any groups and starred items only the hint is printed.
      if !groups.isEmpty || important.total > 0 {
        output.write(session.view == .cards ? GroupCards(table: table).text : table.text)
      }
    }
    if groups.isEmpty { session.hint(.noGroups) }
  }

  private func move(_ name: String, to target: MoveTarget, in session: Session) throws {
    let groups = session.groups()
    let group = try groups.group(name)
    let (place, placeName) = try target.resolved { word in
      let neighbor = try groups.group(word)
      return (neighbor.id, neighbor.name, isMoved: neighbor.id == group.id)
    }
    let result = try session.perform(.moveGroup(group.id, to: place))
    let stored = result.groups[0].name.visible
    let text = LocalizedText(
      "Moved group \"\(stored)\" -> \(placeName.english)",
      "그룹 이동 \"\(stored)\" -> \(placeName.korean)")
    try say(text, result, in: session)
  }

  /// Asks with the group's name and its number of items, and deletes exactly these.
  private func remove(_ name: String, in session: Session) throws {
    let group = try session.groups().group(name)
    let name = group.name.visible
    let question = try PendingDeletion(group: group.id, in: session.repository())
    try session.confirm(Self.question(name, question.items.count), command: "group rm")
    let result: CommandResult
    do {
      result = try session.perform(question.action)
    } catch { throw CommandError(error).naming([group.id: group.name]) }
    try session.say(result, Self.deleted(name, result))
  }

  func say(_ text: LocalizedText, _ result: CommandResult, in session: Session) throws {
    let group = result.groups[0]
    guard let format = session.preferences.output.records else {
      return session.say(result.isNoOp ? .nothingToChange(group.name.visible) : text)
    }
    let tally = try session.repository().tally(of: .group(id: group.id))
    session.say(OutputRecord(group, tally: tally), as: format)
  }
}

extension GroupCommand {
  init(_ input: CommandInput) throws {
    let newName = input.options["--name"]
    guard let typed = input.words.first else {
      try input.refuseLiteralWords()
      try Self.refuseOptions(of: input)
      action = .list
      return
    }
    var rest = Array(input.words.dropFirst() + input.literalWords)
    guard let word = Self.action(named: typed) else { throw Self.unknownAction(typed, rest) }
    if rest.isEmpty { throw Self.needsMore(word) }
    var color = input.shared.groupColor
    // A colour at the end is no part of a name.
    if word == "add", color == nil, rest.count > 1, let last = rest.last, last.hasPrefix("#"),
      input.literalWords.isEmpty, let named = RGBA(last)
    {
      rest.removeLast()
      color = named
    }
    let group = rest.joined(separator: " ")
    switch word {
    case "add": action = .add(name: group, color: color)
    case "edit":
      if newName == nil, !input.shared.namesGroupColor { throw Self.needsMore(word) }
      try Self.refuseOptions(of: input, except: "--name")
      action = .edit(group: group, name: newName, color: color)
      return
    case "image":
      guard rest.count > 1, let source = rest.popLast() else { throw Self.needsMore(word) }
      if rest.count > 1, let last = rest.last, ["save", "저장"].contains(last) {
        try Self.refuseOptions(of: input, except: "--force")
        action = .saveImage(
          group: rest.dropLast().joined(separator: " "), path: source,
          replaces: input.options["--force"] != nil)
        return
      }
      action = .image(group: rest.joined(separator: " "), source: source)
    case "mv":
      guard let (subject, place) = MoveTarget.split(rest) else {
        if let place = MoveTarget.typo(rest) {
          throw CommandError(.unknownPlace(place, forms: Self.forms(of: word)), .usage)
        }
        throw Self.needsMore(word)
      }
      action = .move(group: subject.joined(separator: " "), place: place)
    default: action = .remove(group: group)
    }
    try Self.refuseOptions(of: input)
  }

  /// The form to which each option belongs.
  private static let formsOfOptions: KeyValuePairs = [
    "--name": "group edit", "--force": "group image GROUP save FILE",
  ]

  /// Throws for options of other forms than that of the line.
  private static func refuseOptions(of input: CommandInput, except used: String? = nil) throws {
    for (option, form) in formsOfOptions where option != used && input.options[option] != nil {
      throw CommandError(
        "\(option) belongs to \(form).", "\(option) 옵션은 \(form)에만 쓸 수 있습니다.", .usage)
    }
  }

  /// The lines of the synopsis that show one action.
  private static func forms(of action: String) -> String {
    synopsis.split(separator: "\n").filter { $0.hasPrefix("\(name) \(action)") }
      .joined(separator: "\n")
  }

  private static func needsMore(_ action: String) -> CommandError {
    let lines = forms(of: action)
    return CommandError(
      "\(name) \(action) needs more words:\n\(lines)",
      "\(name) \(action)에는 더 써야 할 것이 있습니다:\n\(lines)", .usage)
  }

  /// The error for a word that does not name an action, with the action that may be meant.
  ///
  /// `show` or `ls` before a name belongs in front of the line, and a name of one letter is never
  /// taken for a mistyped action.
  private static func unknownAction(_ word: String, _ rest: [String]) -> CommandError {
    let english = "group takes add, edit, image, mv or rm, not \"\(word.visible)\"."
    let korean = "그룹 뒤에는 추가, 수정, 그림, 이동, 삭제만 쓸 수 있습니다: \"\(word.visible)\"."
    let shows: [any Command.Type] = [ShowCommand.self, ListCommand.self, ViewCommand.self]
    let isShow = shows.contains { ([$0.name] + $0.aliases).contains(word) } && !rest.isEmpty
    let names = actions + koreanActions.map(\.key)
    if word.count > 1, !isShow, let nearest = word.nearest(in: names) {
      return CommandError(
        english + " Did you mean \"\(nearest)\"?", korean + " 혹시 \"\(nearest)\"인가요?", .usage)
    }
    let group = (isShow ? rest.joined(separator: " ") : word).visible
    return CommandError(
      english + " \"show \(group)\" shows a group.",
      korean + " 그룹은 \(("show " + group).inQuotes(.direction)) 볼 수 있습니다.", .usage)
  }

  /// - Parameter color: The colour that was typed.
  private static func changed(_ old: String, to new: String, color: RGBA?) -> LocalizedText {
    let name = old == new ? "\"\(new)\"" : "\"\(old)\" -> \"\(new)\""
    let color = color.map { " \($0.description)" } ?? ""
    return LocalizedText("Changed group \(name)\(color)", "그룹 수정 \(name)\(color)")
  }

  /// - Parameter count: How many items are deleted with the group.
  private static func question(_ name: String, _ count: Int) -> LocalizedText {
    if count == 0 {
      return LocalizedText(
        "Delete the empty group \"\(name)\"? [y/N] ", "빈 그룹 \(name.inQuotes(.object)) 삭제할까요? [y/N] "
      )
    }
    let items = LocalizedText.items(count)
    return LocalizedText(
      "Delete group \"\(name)\" and \(items.english)? [y/N] ",
      "\"\(name)\" 그룹과 \(items.korean)를 삭제할까요? [y/N] ")
  }

  private static func deleted(_ name: String, _ change: CommandResult) -> LocalizedText {
    let hint = LocalizedText.undoHint(of: change)
    if change.items.isEmpty {
      return LocalizedText(
        "Deleted group \"\(name)\".\(hint.english)", "\"\(name)\" 그룹 삭제함.\(hint.korean)")
    }
    let items = LocalizedText.items(change.items.count)
    return LocalizedText(
      "Deleted group \"\(name)\" and \(items.english).\(hint.english)",
      "\"\(name)\" 그룹과 \(items.korean) 삭제함.\(hint.korean)")
  }
}
