import Presentation
import TodoKit

/// `edit ITEM TITLE...`: gives an item another title; `edit ITEM` lets all of it be edited.
struct EditCommand: Command {
  static let name = "edit"
  static let aliases = ["수정", "편집"]
  static let synopsis = """
    edit ITEM TITLE...
    edit ITEM
    """
  static let example = "edit 3 buy oat milk"
  static let summary = LocalizedText("Changes the title, or all of an item.", "할일을 고칩니다.")
  static let details = [
    LocalizedText(
      """
        All words are the title; !h, @GROUP, due:DAY and #TAG are not read as signs here.
        On a terminal edit ITEM shows the item as add would take it, to be edited: what is taken \
      out of the line is taken away.
      """,
      """
        모든 낱말이 제목이 됩니다. !h, @GROUP, due:DAY, #TAG도 여기서는 제목입니다.
        터미널에서 edit ITEM만 쓰면 add에 쓰는 모양으로 보여 주고 고칠 수 있습니다. 줄에서 지운 것은 \
      없어집니다.
      """)
  ]
  static let takesText = true

  /// The item, and the words of the title.
  let words: ItemWords

  func run(in session: Session) throws(CommandError) {
    let (target, text) = try words.splitOne(for: Self.self, in: session)
    let selected = try session.selectOne(target)
    let old = selected.item
    if text.isEmpty { return try editAll(of: selected, in: session) }
    try session.send(.retitle(old.id, to: text.joined(separator: " ")), about: [selected]) {
      label, item in
      let titles = "\(old.title.visible) -> \(item.title.visible)"
      return LocalizedText("Changed \(label): \(titles)", "수정 \(label): \(titles)")
    }
  }

  /// Shows an item as a line, and gives it what the edited line says.
  private func editAll(of selected: SelectedItem, in session: Session) throws(CommandError) {
    let old = selected.item
    let group = try session.groupNames(of: [old])[old]
    if session.questions == nil { throw CommandError(.nothingToEdit, .usage) }
    guard let typed = session.edited(Self.line(of: old, group: group), prompt: "edit> ") else {
      throw CommandError(.nothingChanged)
    }
    let line = try Grammar.parse([AddCommand.name] + LineTokenizer(typed).completeWords())
    guard let new = line.command as? AddCommand else { throw CommandError(.needsMore(Self.self)) }
    // A group that was taken out of the line is taken away, also inside of one.
    let target = try new.group.map { name throws(CommandError) in
      try session.groupTarget(name)
    }
    let draft = try new.draft(in: target?.group?.id, clock: session.environment.clock)
    let action = TodoAction.editTask(old, draft, inNewGroup: target?.newName)
    try session.send(action, about: [old]) { change throws(CommandError) in
      let names = try session.groupNames(of: change.items)
      try session.say(change, as: [selected]) { label, item in
        let extras = ItemExtras(of: item, group: names[item]).text
        let title = item.title.visible
        return LocalizedText(
          "Changed \(label): \(title)\(extras.english)", "수정 \(label): \(title)\(extras.korean)")
      }
    }
  }

  /// An item as `add` takes it.
  private static func line(of item: TodoItem, group: String?) -> String {
    var signs: [String] = []
    if item.priority != .none { signs.append("!" + item.priority.word(in: .english)) }
    if let group { signs.append("@" + group.asWord) }
    if let due = item.dueText { signs.append("due:\(due)") }
    if let rule = item.repeats { signs.append(rule.asSign) }
    signs += item.tags.map { "#" + $0.asWord }
    let words = item.title.split(separator: " ").map(String.init)
    let isPlain = words.allSatisfy { word in
      !["!", "@", "#", "-", "due:", "every:", "\"", "'"].contains { word.hasPrefix($0) }
        && !word.contains("\\")
    }
    if isPlain { return ([item.title] + signs).joined(separator: " ") }
    return (signs + ["--"] + words.map(\.asWord)).joined(separator: " ")
  }
}

extension EditCommand {
  init(_ input: CommandInput) throws(CommandError) {
    words = try ItemWords(input, of: Self.self, needsText: false)
  }
}

extension String {
  /// The text as one word of a line, in quotes where it needs them.
  fileprivate var asWord: String {
    let isPlain = !contains { $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == "\\" }
    if isPlain, !isEmpty { return self }
    return "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension LocalizedText {
  fileprivate static let nothingToEdit = LocalizedText(
    "Write the new title: edit ITEM TITLE. On a terminal the item can be edited as a line.",
    "새 제목을 쓰세요: edit ITEM TITLE. 터미널에서는 할일을 한 줄로 고칠 수 있습니다.")

  fileprivate static let nothingChanged = LocalizedText("Nothing was changed.", "바뀐 것이 없습니다.")
}
