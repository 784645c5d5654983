import LineEditing

/// `sync`: keeps the list the same on several machines, with the program that is installed beside this one.
///
/// That one links PostgreSQL's client, and the prompt starts as fast as without it.
struct SyncCommand: Command {
  static let name = "sync"
  static let aliases = ["동기화"]
  static let synopsis = """
    sync [--watch]
    sync setup ADDRESS [--space ID] [--password-file FILE] [--insecure]
    sync status
    sync leave
    """
  static let example = "sync setup postgres://anna@db.example/todo"
  static let summary = LocalizedText(
    "Keeps the list the same on several machines.", "여러 컴퓨터의 목록을 같게 합니다.")
  static let details = [
    LocalizedText(
      """
        setup names a PostgreSQL server, once on each machine; the lists become one. sync sends and gets \
      changes, --watch does so until ^C, and status tells what is not sent. leave ends it and keeps the list.
        A password is never in the address: it is asked for, or comes from PGPASSWORD, ~/.pgpass or \
      --password-file.
      """,
      """
        컴퓨터마다 한 번 setup으로 PostgreSQL 서버를 정하면 목록이 하나가 됩니다. sync는 바뀐 것을 주고받고, --watch는 \
      ^C까지 계속하며, status는 보내지 않은 것을 보여 줍니다. leave는 목록을 남기고 끝냅니다.
        비밀번호는 주소에 쓰지 않습니다. 물어보거나 PGPASSWORD, ~/.pgpass, --password-file에서 읽습니다.
      """)
  ]
  static let options: [OptionSyntax] = [
    .flag("--watch"), .value("--space", valueName: "id"),
    .value("--password-file", valueName: "file"), .flag("--insecure"),
  ]
  static let actions = ["status", "setup", "leave"]
  static let koreanActions: KeyValuePairs = ["상태": "status", "설정": "setup", "나가기": "leave"]

  /// What the program is started with, after the list.
  let arguments: [String]

  func run(in session: Session) throws {
    guard let program = session.environment.syncProgram else {
      throw CommandError(.noSyncProgram)
    }
    try session.run(program, arguments)
  }

  init(_ input: CommandInput) throws {
    try input.refuseLiteralWords()
    var words = input.words
    if let first = words.first {
      guard let action = Self.action(named: first) else {
        throw CommandError(.unexpectedWord(first), .usage)
      }
      words[0] = action
    }
    let isSetup = words.first == "setup"
    if isSetup, words.count < 2 { throw CommandError(.needsMore(Self.self), .usage) }
    if words.count > (isSetup ? 2 : 1) {
      throw CommandError(.unexpectedWord(words[isSetup ? 2 : 1]), .usage)
    }
    if isSetup, words[1].hasPassword { throw CommandError(.passwordInAddress, .usage) }
    for option in Self.options.map(\.names[0]) where input.options[option] != nil {
      guard option == "--watch" ? words.isEmpty : isSetup else {
        throw CommandError(.unexpectedWord(option), .usage)
      }
      words.append(option)
      if let value = input.options[option], option == "--space" || option == "--password-file" {
        words.append(value)
      }
    }
    arguments = words
  }
}

extension String {
  /// Whether it is or has an address with a password in it, as PostgreSQL's client reads them.
  var hasPassword: Bool {
    contains(#/:\/\/[^\/@\s]*:[^@\s]+@/#) || contains(#/password\s*=/#.ignoresCase())
  }
}

extension LocalizedText {
  fileprivate static let passwordInAddress = LocalizedText(
    """
    The address has a password in it, and the shell may keep it in its history.
    Change that password and leave it out: it is asked for, or comes from PGPASSWORD, ~/.pgpass or --password-file.
    """,
    """
    주소에 비밀번호가 있습니다. 셸 기록에 남을 수 있습니다.
    그 비밀번호를 바꾸고 주소에서 빼세요. 물어보거나 PGPASSWORD, ~/.pgpass, --password-file에서 읽습니다.
    """)

  fileprivate static let noSyncProgram = LocalizedText(
    """
    The program todo-sync is not installed beside todo.
    In a clone, Scripts/sync builds it and starts it.
    """,
    """
    todo-sync 프로그램이 todo 옆에 없습니다.
    저장소 안에서는 Scripts/sync가 만들어 시작합니다.
    """)
}
