import CroftFoundation
import LineEditing
import TodoFormats
import TodoKit

struct ExportCommand: Command {
  static let name = "export"
  static let aliases = ["내보내기"]
  static let synopsis = "export [FILE|-] [TERM]... [--format NAME] [--force]"
  static let example = "export todo.txt is:open"
  static let summary = LocalizedText(
    "Writes items as another program's file.", "할일을 다른 프로그램의 파일로 내보냅니다.")
  static let details = [
    LocalizedText(
      """
        NAME is \(TaskFormat.names); without it the extension decides, and json is written to \
      standard output.
        Imported items keep what only their own format can hold.
      """,
      """
        NAME: \(TaskFormat.names).
        쓰지 않으면 파일의 확장자로 알고, 표준 출력에는 json으로 씁니다.
        가져온 할일은 그 형식만이 담을 수 있는 것도 그대로 내보냅니다.
      """), LocalizedText.termsHelp,
  ]
  static let options: [OptionSyntax] = [
    .value("--format", valueName: "format", suggestions: TaskFormat.allCases.map(\.name)),
    .flag("--force"),
  ]

  /// The path of the file; nil for standard output.
  let path: String?
  let terms: [SearchTerm]
  let format: TaskFormat
  let replaces: Bool

  func run(in session: Session) throws {
    try session.requireList()
    let conditions = try session.conditions(of: terms)
    let items = try session.repository().items(in: .all, meeting: conditions, limit: nil)
    let names = try session.groupNames(of: items)
    let clock = session.environment.clock
    let zone = clock.timeZone()
    let records = try items.map { try $0.record(group: names[$0], for: format, in: zone) }
    let groups = try groups(of: items, in: session)
    let options = FormatOptions(timeZone: zone, fileName: path, now: clock.now())
    let file = format.write(records, groups: groups, options)
    if let path {
      try session.write(
        Data(file.text.utf8), toFile: path, unlessExists: replaces ? nil : .fileExists(path))
    } else {
      session.environment.output.write(file.text)
    }
    for (field, rows) in losses(file.warnings, of: zip(items, records)) {
      session.hint(.lost(field, of: rows.map { items[$0 - 1] }, format))
    }
    guard let path else { return }
    let count = LocalizedText.items(items.count)
    session.say(
      "Exported \(count.english) to \(path.visible) (\(format.name)).",
      "\(count.korean) 내보냄: \(path.visible) (\(format.name)).")
  }

  /// The groups that our own JSON has besides their names: all of them, or those of the items.
  private func groups(of items: [TodoItem], in session: Session) throws -> [TaskGroup] {
    guard [.json, .ndjson].contains(format) else { return [] }
    let ids = Set(items.compactMap(\.groupID))
    let groups = try session.repository().groups()
    return groups.filter { terms.isEmpty || ids.contains($0.id) }
      .map { TaskGroup($0.group, tally: $0.tally) }
  }

  /// The positions of the items, from 1, of which the format cannot hold a field, by field.
  private func losses(
    _ warnings: [TaskIssue], of pairs: some Sequence<(TodoItem, TaskRecord)>
  ) -> [(field: TaskField, rows: [Int])] {
    var rows: [TaskField: Set<Int>] = [:]
    for warning in warnings {
      rows[warning.field ?? .unknown, default: []].insert(warning.row ?? 0)
    }
    // The words of a format may say less than the rule, such as months without the day they began on.
    for (index, (item, record)) in pairs.enumerated() {
      if let rule = item.repeats, !rule.isSame(as: record.repeats, due: item.due) {
        rows[.repeats, default: []].insert(index + 1)
      }
    }
    return TaskField.allCases.compactMap { field in rows[field].map { (field, $0.sorted()) } }
  }

  init(_ input: CommandInput) throws {
    let (terms, others) = try input.words.searchTerms()
    let names = others + input.literalWords
    if names.count > 1 { throw CommandError(.unexpectedWord(names[1]), .usage) }
    self.terms = terms
    path = names.first == "-" ? nil : names.first
    replaces = input.options["--force"] != nil
    if replaces, path == nil {
      throw CommandError(
        "--force replaces a file: name it. Standard output has none.",
        "--force는 파일을 바꿉니다. 파일 이름을 쓰세요. 표준 출력에는 파일이 없습니다.", .usage)
    }
    if let name = input.options["--format"] {
      format = try TaskFormat.option(name)
    } else if let path {
      guard let told = TaskFormat.detect(in: Data(), fileName: path) else {
        throw CommandError(
          "The extension of \(path.visible) does not name a format. Name it with --format: \(TaskFormat.names).",
          "\(path.visible)의 확장자로는 형식을 알 수 없습니다. --format으로 정하세요: \(TaskFormat.names).", .usage)
      }
      format = told
    } else {
      format = .json
    }
  }
}

extension LocalizedText {
  fileprivate static func fileExists(_ path: String) -> LocalizedText {
    LocalizedText(
      "There is a file \(path.visible) already. Use --force to replace it.",
      "\(path.visible) 파일이 이미 있습니다. 바꾸려면 --force를 쓰세요.")
  }

  /// How many titles a message of a loss names.
  private static let namedMax = 3

  fileprivate static func lost(
    _ field: TaskField, of items: [TodoItem], _ format: TaskFormat
  ) -> LocalizedText {
    let count = LocalizedText.items(items.count)
    let titles = items.prefix(namedMax).map { "\"\($0.title.visible)\"" }.joined(separator: ", ")
    let names = titles + (items.count > namedMax ? ", ..." : "")
    return LocalizedText(
      "\(format.name) cannot hold the \(field.words.english) of \(count.english): \(names).",
      "\(format.name) 형식에 담지 못한 것: \(count.korean)의 \(field.words.korean) (\(names)).")
  }
}
