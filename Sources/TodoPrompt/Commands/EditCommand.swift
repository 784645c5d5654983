import Presentation
import TodoFormats
import TodoKit

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
        On a terminal edit ITEM shows the item as add takes it, to be edited: removing a word from \
      the line removes it from the item. Where the priority is removed, the program asks for \
      another as add does; --pri none removes it.
      """,
      """
        모든 낱말이 제목이 됩니다. !h, @GROUP, due:DAY, #TAG도 여기서는 제목입니다.
        터미널에서 edit ITEM만 쓰면 add에 쓰는 모양으로 보여 주고 고칠 수 있습니다. 줄에서 지운 것은 \
      없어집니다. 중요도를 지우면 add처럼 새로 묻고, --pri none을 쓰면 없어집니다.
      """)
  ]
  static let takesText = true

  let words: TargetsAndText

  func run(in session: Session) throws {
    let (target, text) = try words.splitOne(for: Self.self, in: session)
    let selected = try session.selectOne(target)
    let old = selected.item
    if text.isEmpty { return try editAll(of: selected, in: session) }
    if let sign = words.words.dropFirst().first(where: Self.isSign) {
      session.hint(
        "\"\(sign.visible)\" is part of the title. due, repeat, wait and mv change the other fields.",
        "\(sign.visible.inQuotes(.topic)) 제목의 일부입니다. 다른 항목은 due, repeat, wait, mv로 바꿉니다.")
    }
    let action = TodoAction.retitle(old.id, to: text.joined(separator: " "))
    try session.change([selected], by: action) { label, item in
      let titles = "\(old.title.visible) -> \(item.title.visible)"
      return LocalizedText("Changed \(label): \(titles)", "수정 \(label): \(titles)")
    }
  }

  private static func isSign(_ word: String) -> Bool {
    SignedWord(word, among: [.group] + ItemField.all.map(\.sign)) != nil
  }

  /// Shows an item as a line, and gives it what the edited line says.
  private func editAll(of selected: SelectedItem, in session: Session) throws {
    let old = selected.item
    let group = try session.groupNames(of: [old])[old]
    if session.questions == nil {
      throw CommandError(
        "Write the new title: edit ITEM TITLE. On a terminal the item can be edited as a line.",
        "새 제목을 쓰세요: edit ITEM TITLE. 터미널에서는 할일을 한 줄로 고칠 수 있습니다.", .usage)
    }
    guard let typed = session.edited(Self.line(of: old, group: group), prompt: "edit> ") else {
      throw CommandError("Nothing was changed.", "바뀐 것이 없습니다.")
    }
    // The verb comes first: a line that begins with # is a comment.
    let line = try Grammar.parse(LineTokenizer(AddCommand.name + " " + typed).completeWords())
    guard let new = line.command as? AddCommand else { throw CommandError(.needsMore(Self.self)) }
    // A group that was taken out of the line is taken away, also inside of one.
    let target = try new.group.map(session.groupTarget)
    var draft = try new.draft(in: target?.group?.id, clock: session.environment.clock)
    // A title that is missing is told first.
    if draft.priority == nil, old.priority != .none, !draft.title.isBlank {
      draft.priority = try session.replacementPriority()
    }
    let action = TodoAction.editTask(old, draft, inNewGroup: target?.newName)
    let change = try session.perform(action, about: [old])
    let names = try session.groupNames(of: change.items)
    try session.say(change, as: [selected]) { label, item in
      LocalizedText("Changed", "수정").about(
        label, item, ItemExtras(of: item, group: names[item]).text)
    }
  }

  /// An item as `add` takes it.
  static func line(of item: TodoItem, group: String?) -> String {
    var signs: [String] = []
    if item.priority != .none { signs.append("!" + item.priority.word(in: .english)) }
    if let group { signs.append("@" + group.asWord) }
    signs += ItemField.all.compactMap { field in
      field.typed(item).map { field.sign.spellings[0] + $0.asWord }
    }
    signs += item.tags.map { "#" + $0.asWord }
    let words = item.title.split(separator: " ").map(String.init)
    // Blanks that are not one between two words are kept in quotes.
    guard words.joined(separator: " ") == item.title else {
      return (signs + ["--", item.title.asWord]).joined(separator: " ")
    }
    let isPlain = words.allSatisfy { word in
      !["-", "\"", "'"].contains { word.hasPrefix($0) } && !word.contains("\\")
        && !word.contains(where: \.isWhitespace)
        && SignedWord(word) == nil
    }
    if isPlain { return ([item.title] + signs).joined(separator: " ") }
    return (signs + ["--"] + words.map(\.asWord)).joined(separator: " ")
  }
}

extension EditCommand {
  init(_ input: CommandInput) throws {
    words = try TargetsAndText(input, of: Self.self, needsText: false)
  }
}
