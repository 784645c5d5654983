import LineEditing
import TerminalText
import TodoFormats
import TodoKit

struct ImportCommand: Command {
  static let name = "import"
  static let aliases = ["가져오기"]
  static let synopsis = """
    import FILE|- [--format NAME] [--dry-run] [--skip-errors]
    import FILE|- --format csv --map title=COLUMN,due=COLUMN...
    """
  static let example = "import todo.txt --dry-run"
  static let summary = LocalizedText(
    "Brings in tasks of another program's file.", "다른 프로그램의 파일에서 할일을 가져옵니다.")
  static let details = [
    LocalizedText(
      """
        NAME is \(TaskFormat.names); without it the content decides.
        A second import of a file updates only fields that changed in the file. Later changes made here \
      stay. Items that were deleted here are added again. --dry-run shows what would happen. --skip-errors leaves out rows that cannot \
      be read. - is standard input. undo takes the import back.
      """,
      """
        NAME: \(TaskFormat.names). 쓰지 않으면 파일을 보고 압니다.
        같은 파일을 다시 가져오면 그 사이에 파일에서 바뀐 것만 바꿉니다. 파일을 쓴 뒤에 여기서 바꾼 것은
        그대로 둡니다. 여기서 지운 할일은 다시 추가됩니다.
        --dry-run은 무엇이 바뀔지만 보여 줍니다. --skip-errors는 읽을 수 없는 줄을 건너뜁니다.
        -는 표준 입력입니다. undo로 되돌릴 수 있습니다.
      """)
  ]
  static let options: [OptionSyntax] = [
    .value("--format", valueName: "format", suggestions: TaskFormat.allCases.map(\.name)),
    .flag("--dry-run"), .flag("--skip-errors"),
    .value("--map", valueName: "map"),
  ]
  /// How many issues of a file are told one by one.
  private static let issuesMax = 20

  /// The path of the file; nil for standard input.
  let path: String?
  let format: TaskFormat?
  let columns: ColumnMap?
  let isDryRun: Bool
  let skipsErrors: Bool

  func run(in session: Session) throws {
    let data = try session.bytes(ofFile: path)
    guard let format = format ?? TaskFormat.detect(in: data, fileName: path) else {
      let name = path?.visible ?? "-"
      throw CommandError(
        "The format of \(name) cannot be told. Name it with --format: \(TaskFormat.names).",
        "\(name)의 형식을 알 수 없습니다. --format으로 정하세요: \(TaskFormat.names).", .badData)
    }
    let clock = session.environment.clock
    let writtenAt = path.flatMap { session.modificationTime(ofFile: $0) }
    // The name of a pipe, such as /dev/fd/63, says nothing of a group.
    let fileName = path.flatMap { $0.hasPrefix("/dev/") ? nil : $0 }
    let options = FormatOptions(
      timeZone: clock.timeZone(), fileName: fileName, columns: columns, now: clock.now())
    let file = format.importedFile(data, options)
    try Self.checkInterrupts()
    let isReadable = file.errors.allSatisfy { $0.severity == .error }
    if !file.errors.isEmpty, !(skipsErrors && isReadable) {
      Self.tell(file.errors, in: session)
      let count = file.errors.count
      throw CommandError(
        "Nothing was imported: the file has \(count == 1 ? "an error" : "\(count) errors")."
          + (isReadable ? " Use --skip-errors to import the other rows." : ""),
        "파일에 오류가 \(count)개 있어 아무것도 가져오지 않았습니다."
          + (isReadable ? " 나머지를 가져오려면 --skip-errors를 쓰세요." : ""), .badData)
    }
    let source = try ImportSource(
      file, of: data, in: format, options, writtenAt: writtenAt, repository: session.repository())
    let plan = try ImportPlan(of: source)
    try Self.checkInterrupts()
    Self.tell(file.issues + plan.issues + (isDryRun ? plan.laterChanges : []), in: session)
    if isDryRun || plan.isEmpty { return Self.say(plan, of: self, format, in: session) }
    _ = try session.perform(plan.action)
    Self.say(plan, of: self, format, in: session)
  }

  /// Throws after a ^C, which is heard between the steps of an import; storing hears it by itself.
  private static func checkInterrupts() throws {
    if Interrupts.isRequested { throw CommandError(.cancelled, .interrupted) }
  }

  /// Tells what a file could not say, by row; of many issues the first ones, and their number.
  private static func tell(_ issues: [TaskIssue], in session: Session) {
    for issue in issues.prefix(issuesMax) {
      let text = issue.text
      session.hint(
        issue.row.map { "row \($0): " + text.english } ?? text.english,
        issue.row.map { "\($0)번째 줄: " + text.korean } ?? text.korean)
    }
    let more = issues.count - issuesMax
    if more > 0 { session.hint("... and \(more) more.", "... 외 \(more)개.") }
  }

  private static func say(
    _ plan: ImportPlan, of command: ImportCommand, _ format: TaskFormat, in session: Session
  ) {
    let counts = [
      ("added", plan.added.count), ("changed", plan.edits.count),
      ("unchanged", plan.unchangedCount), ("skipped", plan.skippedCount),
    ]
    let kept = plan.laterChanges.count
    if session.preferences.output.records != nil {
      let fields = [
        ("format", format.name.jsonQuoted), ("dryRun", String(command.isDryRun)),
      ]
      let numbers = counts + [("groups", plan.groups.count), ("kept", kept)]
      let object = String(jsonObject: fields + numbers.map { ($0.0, String($0.1)) })
      session.environment.output.write(object + "\n")
      return
    }
    let name = command.path?.visible ?? "-"
    let groups: LocalizedText =
      switch plan.groups.count {
      case 0: LocalizedText("", "")
      case 1: LocalizedText(", 1 new group", ", 새 그룹 1")
      case let count: LocalizedText(", \(count) new groups", ", 새 그룹 \(count)")
      }
    let english = counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ") + groups.english
    let words = ["추가", "변경", "그대로", "건너뜀"]
    let korean = zip(words, counts).map { "\($0) \($1.1)" }.joined(separator: ", ") + groups.korean
    if command.isDryRun {
      session.say(
        "Would import \(name) (\(format.name)): \(english).",
        "가져오면 \(name) (\(format.name)): \(korean).")
    } else {
      session.say(
        "Imported \(name) (\(format.name)): \(english)."
          + (plan.isEmpty ? "" : " undo to take it back."),
        "가져옴 \(name) (\(format.name)): \(korean)." + (plan.isEmpty ? "" : " undo로 되돌릴 수 있습니다."))
    }
    if kept > 0 {
      session.say(
        "\(kept == 1 ? "1 item keeps" : "\(kept) items keep") what was changed here after the file "
          + "was written.",
        "할일 \(kept)개는 파일을 쓴 뒤에 여기서 바꾼 것을 그대로 둡니다.")
    }
  }

  init(_ input: CommandInput) throws {
    let word = try input.onlyWord()
    path = word == "-" ? nil : word
    isDryRun = input.options["--dry-run"] != nil
    skipsErrors = input.options["--skip-errors"] != nil
    format = try input.options["--format"].map(TaskFormat.option)
    columns = try input.options["--map"].map { text in
      do {
        return try ColumnMap(text)
      } catch let issue as TaskIssue {
        throw CommandError(LocalizedText(issue.text), .usage)
      }
    }
  }
}

extension LocalizedText {
  init(_ text: IssueText) { self.init(text.english, text.korean) }
}

extension TaskFormat {
  static let names = allCases.map(\.name).joined(separator: ", ")

  /// Reads the value of `--format`.
  static func option(_ name: String) throws -> TaskFormat {
    if let format = TaskFormat(name: name) { return format }
    throw CommandError(
      "There is no format \"\(name.visible)\". Use one of \(names).",
      "\"\(name.visible)\" 형식은 없습니다. 쓸 수 있는 형식: \(names).", .usage)
  }
}
