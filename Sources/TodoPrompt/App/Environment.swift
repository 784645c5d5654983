import CroftFoundation
import CroftLibc
import LineEditing
import TodoKit

/// The parts of the process that the program uses: variables, streams, terminal, clock, store.
///
/// Tests make their own.
struct Environment {
  let variables: [String: String]
  /// Where results are written.
  let output: any TextOutput
  /// Where errors, hints and questions are written.
  let messages: any TextOutput
  /// The source of answers to questions; nil unless a user types and can read them.
  let answers: (any AnswerSource)?
  /// The terminal of standard input, by its path and its session; nil without one.
  let terminal: (name: String, session: Int)?
  /// The clock that says which day is today.
  let clock: WallClock
  /// Standard input as lines.
  let script: any LineSource
  /// Standard input as bytes; nil where it is a terminal.
  var dataInput: FileDescriptor?
  /// The terminal, where it can show one thing that changes; nil without one.
  var liveScreen: LiveScreen?
  /// Starts the line editor, or a plain source of lines where there can be no editor.
  let startEditor: (HistoryFile?) -> any LineSource
  /// Opens the store at a path; notices are printed in the language.
  let openRepository: (_ path: String, TextLanguage) throws -> any TodoRepository

  var hasList: (_ path: String) -> Bool = FileManager.default.fileExists(atPath:)

  /// Makes the file of a list smaller, which is not open; its bytes before and afterwards.
  var compactFile: (_ path: String) throws -> (before: Int, after: Int) =
    CroftTodoRepository.compact(at:)

  /// The program that shows the list in a browser; nil where it is not installed.
  var webProgram: String? = Self.program(named: "todo-web")

  /// The program that shares the list with other machines; nil where it is not installed.
  var syncProgram: String? = Self.program(named: "todo-sync")

  /// Runs a program on the terminal to its end; its exit code, or nil where it cannot be started.
  var runProgram: (_ path: String, _ arguments: [String]) -> Int32? = { path, arguments in
    ShellProcess(
      command: #"exec "$@""#, arguments: [path] + arguments,
      variables: ProcessInfo.processInfo.environment
    ).run()
  }

  /// Makes a list usable whose journal is lost.
  var repairFile: (_ path: String) throws -> Void = CroftTodoRepository.recover(at:)

  static func process() -> Environment {
    let variables = ProcessInfo.processInfo.environment
    let input = FileDescriptor.standardInput
    let progress = ProgressLine(.standardError)
    let output = DescriptorOutput(.standardOutput, progress: progress, endsWithInterrupt: true)
    let messages = DescriptorOutput(.standardError, progress: progress)
    let canAsk = input.isTerminal && FileDescriptor.standardError.isTerminal
    let typed = PlainLines(input, promptOutput: messages)
    var terminal: (name: String, session: Int)?
    if let name = input.terminalName { terminal = (name, input.terminalSession ?? 0) }
    let clock = WallClock(
      now: { Date.now }, secondsFromUTC: secondsFromUTC, timeZone: { TimeZone.current })
    return Environment(
      variables: variables, output: output, messages: messages,
      answers: canAsk ? TerminalAnswers(lines: typed, output: messages) : nil,
      terminal: terminal,
      clock: clock,
      script: PlainLines(input), dataInput: input.isTerminal ? nil : input,
      liveScreen: canAsk && output.isTerminal && variables["TERM"] != "dumb"
        ? LiveScreen(input: input, output: output) : nil,
      startEditor: { history in
        Interrupts.endQuestion()
        let canEdit = canAsk && variables["TERM"] != "dumb"
        guard canEdit,
          let lines = TerminalLines(
            input, output: messages, history: history, variables: variables)
        else { return typed }
        return lines
      },
      openRepository: { path, language in
        try CroftTodoRepository(
          path: path, today: { clock.today },
          onProgress: { rows in
            if Interrupts.isRequested { throw CancellationError() }
            progress.show(LocalizedText.items(rows).text(in: language) + " ...")
          },
          onNotice: { notice in
            let text = LocalizedText.notice(notice).text(in: language)
            // A notice that nobody can read is lost; the command is not about it.
            _ = FileDescriptor.standardError.write(Array((text.visible + "\n").utf8))
          })
      })
  }

  /// The system's offset from UTC, by `TZ` and the machine's settings.
  @Sendable private static func secondsFromUTC(_ date: Date) -> Int {
    var seconds = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    var parts = tm()
    tzset()
    localtime_r(&seconds, &parts)
    return parts.tm_gmtoff
  }
}

/// What the variables say.
extension Environment {
  /// The priority of what is added without one, by `TODO_PRIORITY` and then the settings; nil for none.
  func defaultPriority(_ config: Config) throws -> Priority? {
    guard let word = variables["TODO_PRIORITY"], !word.isEmpty else {
      return config[.priority].flatMap(Priority.init(word:)).flatMap { $0 == .none ? nil : $0 }
    }
    guard let priority = Priority(word: word) else {
      throw CommandError(
        "TODO_PRIORITY is \"\(word.visible)\": use high, normal or low.",
        "TODO_PRIORITY 값 \"\(word.visible)\": high, normal, low 중 하나여야 합니다.", .usage)
    }
    return priority
  }

  /// The file of settings, by the XDG rules: `$XDG_CONFIG_HOME/todo/config`; nil without a home.
  var configPath: String? {
    xdgFolder("XDG_CONFIG_HOME", below: ".config").map { $0 + "/todo/config" }
  }

  /// The folder for history and remembered lists, by the XDG rules.
  ///
  /// - Returns: `$XDG_STATE_HOME/todo`, or the same under `~/.local/state`; nil without a home.
  var stateFolder: String? {
    xdgFolder("XDG_STATE_HOME", below: ".local/state").map { $0 + "/todo" }
  }

  /// The path of the store: `--db`, then `TODO_DB`, then `todo/todo.croft` in the data folder.
  func storePath(option: String?) throws -> String {
    if let path = namedStorePath(option: option) { return path }
    guard let folder = xdgFolder("XDG_DATA_HOME", below: ".local/share") else {
      throw CommandError(.noHome)
    }
    return "\(folder)/todo/todo.croft"
  }

  /// Opens the store at its path.
  ///
  /// - Throws: An error if the user named a file in a folder that does not exist, which is probably
  ///   a typo. The folder of the usual path is made.
  func openStore(option: String?, language: TextLanguage) throws -> any TodoRepository {
    let path = try storePath(option: option)
    if namedStorePath(option: option) != nil {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      var isFolder = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder
      else {
        throw CommandError(
          "There is no folder \(folder.visible) to keep the list in. Make it first.",
          "할일을 둘 \(folder.visible) 폴더가 없습니다. 먼저 만드세요.")
      }
    }
    return try openRepository(path, language)
  }

  /// The list that the terminal remembers; nil without a terminal, or a path for the store.
  func lastListFile(option: String?) -> LastListFile? {
    // Without a path the commands that need the store fail, and no others.
    guard let terminal, let folder = stateFolder, let path = try? storePath(option: option) else {
      return nil
    }
    let isAbsolute = path.hasPrefix("/")
    return LastListFile(
      folder: folder, terminalName: terminal.name, terminalSession: terminal.session,
      storePath: isAbsolute ? path : "\(FileManager.default.currentDirectoryPath)/\(path)")
  }

  private func namedStorePath(option: String?) -> String? {
    if let option { return option }
    guard let path = variables["TODO_DB"], !path.isEmpty else { return nil }
    return path
  }

  /// One of the base folders; the rules want relative values to be ignored.
  private func xdgFolder(_ variable: String, below home: String) -> String? {
    if let folder = variables[variable], folder.hasPrefix("/") { return folder }
    guard let folder = variables["HOME"], !folder.isEmpty else { return nil }
    return "\(folder)/\(home)"
  }
}

extension LocalizedText {
  static let noHome = LocalizedText(
    "There is no home folder to keep the list in. Use --db PATH, or set HOME.",
    "할일을 둘 홈 폴더가 없습니다. --db PATH를 쓰거나 HOME을 설정하세요.")

  fileprivate static func notice(_ notice: RepositoryNotice) -> LocalizedText {
    switch notice {
    case .waiting(let process?, isStopped: true):
      LocalizedText(
        "Waiting: process \(process) is stopped while it writes to the list. Continue it or end it.",
        "기다리는 중입니다: \(process)번 프로세스가 목록을 쓰다가 멈춰 있습니다. 계속하게 하거나 끝내세요.")
    case .waiting(let process?, isStopped: false):
      LocalizedText(
        "Waiting: process \(process) is writing to the list.",
        "기다리는 중입니다: \(process)번 프로세스가 목록을 쓰고 있습니다.")
    case .waiting(nil, _):
      LocalizedText(
        "Waiting: another program is writing to the list.",
        "기다리는 중입니다: 다른 프로그램이 목록을 쓰고 있습니다.")
    case .observersDelayed:
      LocalizedText(
        "The list cannot be read at the moment; trying again.",
        "지금 목록을 읽을 수 없어 다시 시도합니다.")
    case .emptyFile(let path):
      LocalizedText(
        "\(path) was an empty file, so a new list begins in it. If there was a list, restore a copy.",
        "\(path) 파일이 비어 있어 새 목록을 시작합니다. 목록이 있었다면 복사본을 되살리세요.")
    case .notCompacted(let path):
      LocalizedText(
        "\(path) could not be compacted when it was opened. \"compact\" does it, or says why not.",
        "\(path) 파일을 열 때 줄이지 못했습니다. compact를 쓰면 줄이거나 이유를 알려 줍니다.")
    case .unreadableItem(let key, let property):
      LocalizedText(
        "Item \(key) is left out: this version cannot read its values"
          + (property.isEmpty ? "" : " (\(property))")
          + ". Use the newest version, or correct the item with croft.",
        "\(key) 할일을 빼고 보여 줍니다. 이 버전이 읽을 수 없는 값이 있습니다"
          + (property.isEmpty ? "" : "(\(property))") + ". 가장 새로운 버전을 쓰거나 croft로 고치세요.")
    case .other(let text): LocalizedText(text, text)
    }
  }
}
