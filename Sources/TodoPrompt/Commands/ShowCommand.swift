import CroftFoundation
import LineEditing
import TerminalText
import TodoFormats
import TodoKit

struct ShowCommand: Command {
  static let name = "show"
  static let aliases = ["자세히"]
  static let synopsis = "show GROUP|important|none|ITEM"
  static let example = "show important"
  static let summary = LocalizedText(
    "Shows a group, or all of one item.", "그룹 하나나 할일 하나를 자세히 보여 줍니다.")
  static let details = [LocalizedText.groupsHelp]

  let target: String

  var isPaged: Bool { true }

  func run(in session: Session) throws {
    if let item = try item(in: session) { return try show(item, in: session) }
    let selected = try session.groups().list(target)
    let items = try session.repository().items(in: selected.list, .all)
    let tally = Tally(total: items.count, done: items.count(where: \.isDone))
    session.listed = ListedItems(items.map(\.id))
    session.rememberList()
    let output = session.environment.output
    let numbers = Array(1...max(1, items.count))
    switch session.preferences.output.records {
    case nil:
      let name = selected.name.visible.text(in: session.preferences.language)
      let styler = session.styler(for: output)
      let color = selected.group?.color
      let swatch = color == nil ? "" : styler.swatch(color)
      let heading = "\(swatch)\(styler.styled(name, .bold))  \(tally.progressText(session.glyphs))"
      let picture = selected.group?.image.map { " \($0.label)" } ?? ""
      let text = color.map { "  " + styler.styled($0.description + picture, .dim) } ?? ""
      let sums = ItemField.all.compactMap { $0.sum?(items) }
        .map { "  " + $0.text(in: session.preferences.language) }.joined()
      output.write(heading + sums + text + "\n")
      try session.sayTable(items, in: selected.list)
    case .json:
      let names = try session.groupNames(of: items)
      let records = zip(items, numbers).map { item, number in
        OutputRecord(item, number: number, group: names[item])
      }
      let group = selected.group.map { OutputRecord($0, tally: tally).json } ?? "null"
      let list = String(jsonArray: records.map(\.json))
      output.write(String(jsonObject: [("group", group), ("items", list)]) + "\n")
    case let format?: try session.say(items, numbers: numbers, as: format)
    }
    if items.isEmpty { session.hint(ListCommand.nothingListed(in: selected, .all)) }
  }

  /// The item that the word names; nil for words that name a list.
  ///
  /// Digits are an item's number. A group's name comes before the end of an id, and with an `@`
  /// the word can only be a group's name.
  private func item(in session: Session) throws -> SelectedItem? {
    let groups = session.groups()
    if !target.isDigits {
      if GroupSelection.builtInList(target) != nil || target.hasPrefix("@") { return nil }
      if try groups.find(target) != nil { return nil }
      if ShortID(target) == nil, !target.isRange {
        throw CommandError(
          LocalizedText(
            "\"\(target.visible)\" is neither a group nor an item.",
            "\"\(target.visible)\": 그런 그룹도 할일도 없습니다."
          ).followed(by: [.groupsThereAre(try groups.names())]))
      }
    }
    return try session.selectOne(target)
  }

  private func show(_ selected: SelectedItem, in session: Session) throws {
    let item = selected.item
    let name = try session.groupNames(of: [item])[item]
    if let format = session.preferences.output.records {
      session.say(OutputRecord(item, number: selected.number, group: name), as: format)
    } else {
      let rows = Self.fields(of: item, group: name, clock: session.environment.clock).map {
        ($0.text(in: session.preferences.language), $1.text(in: session.preferences.language))
      }
      let width = rows.map(\.0.displayWidth).max() ?? 0
      let text = rows.map { "\($0.padded(to: width))  \($1)\n" }.joined()
      session.environment.output.write(text)
    }
  }
}

extension ShowCommand {
  init(_ input: CommandInput) throws {
    let need = LocalizedText("a group or an item", "그룹이나 할일이")
    target = try Self.targets(in: input.allWords, need: need).joined(separator: " ")
  }

  /// The names and values of an item's fields.
  private static func fields(
    of item: TodoItem, group: String?, clock: WallClock
  ) -> [(LocalizedText, LocalizedText)] {
    let tags = item.tags.map(\.visible).joined(separator: ", ")
    return [
      (LocalizedText("Title", "제목"), value(item.title.visible)),
      (LocalizedText("Done", "완료"), done(item, clock)),
      (LocalizedText("Priority", "중요도"), .priority(item.priority)),
      (LocalizedText("Important", "중요"), yesOrNo(item.isImportant)),
      (LocalizedText("Group", "그룹"), value(group?.visible)),
    ] + ItemField.all.map { ($0.name, $0.shown(item) ?? value(nil)) } + [
      (LocalizedText("Tags", "태그"), value(tags.isEmpty ? nil : tags)),
      (LocalizedText("Note", "메모"), value(item.note.isEmpty ? nil : item.note.visible)),
      (LocalizedText("Created", "만든 때"), value(clock.text(of: item.createdAt))),
      (LocalizedText("ID", "ID"), value(item.id.uuidString.lowercased())),
    ]
  }

  private static func done(_ item: TodoItem, _ clock: WallClock) -> LocalizedText {
    let answer = yesOrNo(item.isDone)
    guard let time = item.doneAt.map(clock.text(of:)) else { return answer }
    return LocalizedText("\(answer.english), \(time)", "\(answer.korean), \(time)")
  }

  private static func yesOrNo(_ isYes: Bool) -> LocalizedText {
    isYes ? LocalizedText("yes", "예") : LocalizedText("no", "아니요")
  }

  /// A value that is the same in every language; a dash for nil.
  private static func value(_ text: String?) -> LocalizedText {
    LocalizedText(text ?? "-", text ?? "-")
  }
}
