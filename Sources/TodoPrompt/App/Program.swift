import CroftLibc
import LineEditing
import TerminalText

/// One run of `todo`: parses the arguments and runs a command, `-c`, a script or the prompt.
package struct Program {
  /// The version that `--version` prints.
  static let version = "0.9"

  let environment: Environment

  /// Runs the program with the arguments of the process, and ends the process.
  package static func main() {
    Interrupts.endCrashesAtOnce()
    FileDescriptor.fillClosedStandardStreams()
    useUTF8()
    Interrupts.endProcess()
    let program = Program(environment: .process())
    exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Runs to the end.
  func run(_ arguments: [String]) -> ProgramStatus {
    let config = Config(path: environment.configPath)
    var preferences = Session.Preferences(environment: environment.variables, config: config)
    do {
      let line = try Grammar.parse(arguments)
      if let text = line.options.text {
        let session = Session(environment: environment, preferences: preferences, config: config)
        return LineRunner(session: session).attempt {
          session.environment.output.write(text)
        }
      }
      let session = Session(
        environment: environment, preferences: preferences.applying(line.options), config: config,
        options: line.options)
      for issue in config.issues { session.hint(issue) }
      defer { session.rememberList() }
      return AmbiguousWidth.$columns.withValue(config.ambiguousWidth) { run(line, in: session) }
    } catch {
      preferences.language = TextLanguage(askedForIn: arguments) ?? preferences.language
      let error = CommandError(error)
      Session(environment: environment, preferences: preferences, config: config).report(error)
      return error.status
    }
  }

  private func run(_ line: Grammar.ParsedLine, in session: Session) -> ProgramStatus {
    let options = line.options
    let runner = LineRunner(session: session)
    let script = ScriptRunner(session: session, keepsGoing: options.keepGoing)
    guard let command = line.command else {
      session.isSingleLine = options.commands.count == 1
      if !options.commands.isEmpty { return script.run(commands: options.commands) }
      // Opened before the first line is read: an error here is not about that line.
      let status = runner.attempt { _ = try session.repository() }
      if status != .done { return status }
      if environment.terminal == nil { return script.run(lines: environment.script) }
      let folder = options.isPrivate ? nil : environment.stateFolder
      let lines = environment.startEditor(folder.map(HistoryFile.init(folder:)))
      return PromptRunner(session: session, lines: lines).run()
    }
    session.isSingleLine = true
    return runner.attempt {
      if !options.commands.isEmpty, !(command is HelpCommand) {
        throw CommandError("Give a verb or -c, not both.", "명령과 -c를 함께 쓸 수 없습니다.", .usage)
      }
      try runner.run(command)
    }
  }

  /// Messages of the system come in the encoding of the locale, which must be UTF-8.
  private static func useUTF8() {
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }
}

enum ProgramStatus: Int32 {
  /// Every command succeeded.
  case done = 0
  case failed = 1
  /// The words are no valid command.
  case usage = 64
  /// A file that is imported has errors.
  case badData = 65
  /// ^C ended the process.
  case interrupted = 130
}
