import CroftFoundation
import CroftLibc
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
    let environment = session.environment
    guard let program = environment.webProgram else { throw CommandError(.noWebProgram) }
    // Earlier answers are printed before those of the server.
    environment.output.flush()
    let path = try session.storePath()
    let code = environment.runProgram(program, ["--db", path] + arguments)
    switch code {
    case 0: break
    // The program has said what was wrong, or the shell why it does not start.
    case .some(1..<128): session.status = .failed
    default:
      throw CommandError(
        "\(program.visible) ended with the code \(code ?? -1).",
        "\(program.visible): 프로그램이 오류로 끝났습니다. 코드: \(code ?? -1)")
    }
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

extension Environment {
  /// The path of a program that is installed beside the running one; nil where there is none.
  static func program(named name: String) -> String? {
    #if canImport(Darwin)
      let path = CommandLine.arguments.first
    #else
      // Without /proc the name that the program was started by may name its folder.
      let path =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        ?? CommandLine.arguments.first
    #endif
    guard let path, let end = path.lastIndex(of: "/") else { return nil }
    let program = path[...end] + name
    return FileManager.default.isExecutableFile(atPath: String(program)) ? String(program) : nil
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
