import LineEditing

/// `web`: shows the list in a browser, with the program that is installed beside this one.
///
/// The server is another program, so that the prompt starts as fast as without it.
struct WebCommand: Command {
  static let name = "web"
  static let aliases = ["웹"]
  static let synopsis = """
    web [--port N] [--no-open]
    web --link [--no-open]
    """
  static let example = "web --link"
  static let summary = LocalizedText("Shows the list in a browser.", "목록을 브라우저에서 보여 줍니다.")
  static let details = [
    LocalizedText(
      """
        Prints a link that opens one browser, on this machine alone; ^C ends the server. --link prints a new \
      link to the server that runs.
      """,
      """
        이 컴퓨터의 브라우저 하나를 여는 링크를 보여 줍니다. ^C로 서버를 끝냅니다. --link는 실행 중인 서버의 새 링크를 \
      보여 줍니다.
      """)
  ]
  static let options: [OptionSyntax] = [
    .value("--port", valueName: "port"), .flag("--no-open"), .flag("--link"),
  ]
  static let takesWords = false

  /// The options of the server, as they were typed.
  let arguments: [String]

  func run(in session: Session) throws {
    guard let program = session.environment.webProgram else {
      throw CommandError(.noWebProgram)
    }
    try session.run(program, arguments)
  }

  init(_ input: CommandInput) throws {
    var arguments: [String] = []
    if let port = input.options["--port"] {
      guard UInt16(port) != nil else {
        throw CommandError(
          "A port is a number from 0 to 65535, not \"\(port.visible)\".",
          "포트는 0부터 65535까지의 수입니다: \"\(port.visible)\".", .usage)
      }
      arguments += ["--port", port]
    }
    for option in ["--no-open", "--link"] where input.options[option] != nil {
      arguments.append(option)
    }
    self.arguments = arguments
  }
}

extension LocalizedText {
  fileprivate static let noWebProgram = LocalizedText(
    """
    The program todo-web is not installed beside todo.
    In a clone, Scripts/web builds it and starts it.
    """,
    """
    todo-web 프로그램이 todo 옆에 없습니다.
    저장소 안에서는 Scripts/web이 만들어 시작합니다.
    """)
}
