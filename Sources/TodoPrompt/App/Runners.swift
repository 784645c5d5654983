import CroftFoundation
import LineEditing
import TerminalText
import TodoKit

/// Runs single lines: parses them, runs their commands, and reports errors.
struct LineRunner {
  let session: Session

  /// Parses and runs a script's line, a value of `-c` or a line of the prompt.
  ///
  /// Output is flushed before it returns.
  ///
  /// - Parameter place: The line's place in a script, for errors; nil elsewhere.
  func run(_ typed: LineTokenizer, at place: ScriptRunner.Place? = nil) -> ProgramStatus {
    AmbiguousWidth.$columns.withValue(session.config.ambiguousWidth) {
      parseAndRun(typed, at: place)
    }
  }

  private func parseAndRun(_ typed: LineTokenizer, at place: ScriptRunner.Place?) -> ProgramStatus {
    session.preferences = session.base
    return attempt(at: place) {
      let words = try typed.completeWords()
      let line: Grammar.ParsedLine
      do {
        line = try Grammar.parse(words)
      } catch {
        session.preferences.language = TextLanguage(askedForIn: words) ?? session.base.language
        throw error
      }
      session.preferences.language = line.options.lang ?? session.base.language
      try refuseStartOptions(line.options)
      guard let command = line.command else {
        throw CommandError(
          "A line begins with a verb. \"help\" lists them.",
          "줄은 명령으로 시작합니다. \"help\"로 목록을 볼 수 있습니다.", .usage)
      }
      session.preferences = session.base.applying(line.options)
      try refreshOpenGroup()
      try run(command)
    }
  }

  /// Takes the open group as it is now, and leaves it if another program has deleted it.
  ///
  /// - Throws: An error where it was deleted: the line was about it.
  private func refreshOpenGroup() throws {
    guard let group = session.openGroup else { return }
    session.openGroup = try session.repository().group(group.id)
    if session.openGroup == nil {
      throw CommandError(
        "The group \"\(group.name.visible)\" was deleted; left it. Nothing was changed.",
        "\"\(group.name.visible)\" 그룹이 없어져 아무것도 하지 않고 밖으로 나왔습니다.")
    }
  }

  /// Runs a command, whose answer a pager shows if it is longer than the terminal.
  func run(_ command: any Command) throws {
    let environment = session.environment
    let isPaged =
      command.isPaged && session.preferences.usesPager && environment.output.isTerminal
    let pager =
      isPaged
      ? Pager(setting: session.config[.pager], environment: environment.variables) {
        FileManager.default.isExecutableFile(atPath: $0)
      } : nil
    environment.output.page(through: pager)
    try command.run(in: session)
  }

  /// Runs a closure, and reports its error.
  func attempt(at place: ScriptRunner.Place? = nil, _ body: () throws -> Void) -> ProgramStatus {
    session.begin(at: place)
    do { try body() } catch { session.fail(CommandError(error)) }
    session.environment.output.flush()
    session.reportLostOutput()
    return session.status
  }

  /// Throws for options that belong to the start of the program.
  private func refuseStartOptions(_ options: SharedOptions) throws {
    if let option = options.startOption {
      throw CommandError(
        "\(option) only works where todo is started.", "\(option) 옵션은 todo를 시작할 때만 쓸 수 있습니다.",
        .usage)
    }
  }
}

extension Session.Preferences {
  /// The preferences with the options of a line applied.
  func applying(_ options: SharedOptions) -> Session.Preferences {
    var preferences = self
    preferences.output = options.output ?? output
    preferences.color = options.color ?? color
    preferences.language = options.lang ?? language
    preferences.assumesYes = options.yes || assumesYes
    preferences.usesPager = !options.noPager && usesPager
    return preferences
  }
}

/// Runs the lines of a script: the values of `-c`, or the lines of standard input.
///
/// The first error ends it, unless it keeps going. The exit code is that of a failure then too.
struct ScriptRunner {
  /// The place of a line in a script, for errors.
  struct Place {
    /// The number of the line, or of the `-c`, counted from 1.
    let number: Int
    /// Whether the line is the value of `-c`.
    var isOption = false
    /// The line itself; empty if it could not be decoded.
    let line: String

    /// The number, in words.
    var name: LocalizedText {
      isOption
        ? LocalizedText("-c \(number)", "\(number)번째 -c")
        : LocalizedText("line \(number)", "\(number)번째 줄")
    }
  }

  let session: Session
  let keepsGoing: Bool

  /// Runs the values of `-c`, each a whole line.
  func run(commands: [String]) -> ProgramStatus {
    var status = ProgramStatus.done
    for (index, text) in commands.enumerated() {
      let line = LineTokenizer(text)
      if line.isBlankOrComment { continue }
      let place = Place(number: index + 1, isOption: true, line: text)
      if session.hasLostOutput { return notRun(place) }
      let ending = LineRunner(session: session).run(line, at: commands.count > 1 ? place : nil)
      if ending != .done {
        if !keepsGoing { return ending }
        status = .failed
      }
      if session.isOver { break }
    }
    return status
  }

  func run(lines: any LineSource) -> ProgramStatus {
    let runner = LineRunner(session: session)
    var status = ProgramStatus.done
    var number = 0
    while !session.isOver, let (event, count) = nextCommand(from: lines) {
      let place = Place(number: number + 1, line: event.text)
      number += count
      let ending: ProgramStatus
      switch event {
      case .line(let text):
        let line = LineTokenizer(text)
        if line.isBlankOrComment { continue }
        if session.hasLostOutput { return notRun(place) }
        ending = runner.run(line, at: place)
      case .undecodable:
        ending = runner.attempt(at: place) { throw CommandError(.notUTF8) }
      case .failed(let code):
        // Nothing more can be read.
        return runner.attempt {
          let reason = FileReason.text(code: code)
          throw CommandError(
            "Standard input cannot be read: \(reason.english).",
            "표준 입력을 읽을 수 없습니다: \(reason.korean).")
        }
      case .interrupted, .end: return status
      }
      if ending != .done {
        status = .failed
        if !keepsGoing { break }
      }
    }
    return status
  }

  /// Says that a line, and all after it, is not run, because its answer could not be written.
  private func notRun(_ place: Place) -> ProgramStatus {
    session.report(
      CommandError(
        "Not run, and no line after it: results cannot be written.", "결과를 쓸 수 없어 이 줄부터는 실행하지 않았습니다."
      ), at: place)
    return .failed
  }

  /// The next command and its number of lines: a backslash at the end joins the next line.
  ///
  /// - Returns: Nil at the end.
  private func nextCommand(from lines: any LineSource) -> (event: LineEvent, lineCount: Int)? {
    var command = ""
    var count = 0
    while true {
      let event = lines.next(prompt: "")
      switch event {
      case .line(let text):
        count += 1
        command += text
        guard LineTokenizer(command).opening == .backslash else { return (.line(command), count) }
        command.removeLast()
      case .undecodable, .failed: return (event, count + 1)
      case .interrupted: continue
      // A backslash that no line follows is an error of its line.
      case .end: return count > 0 ? (.line(command + "\\"), count) : nil
      }
    }
  }
}

extension LineEvent {
  /// The text of a line; empty for other events.
  fileprivate var text: String { if case .line(let text) = self { text } else { "" } }
}

/// The prompt: reads a line, answers it, until ^D or `quit`.
///
/// An error is reported, and does not affect the next line.
struct PromptRunner {
  let session: Session
  let lines: any LineSource

  func run() -> ProgramStatus {
    let runner = LineRunner(session: session)
    let status = runner.attempt {
      let tally = try session.repository().tally(of: .all)
      session.hint(
        "\(tally.undone) open, \(tally.done) completed. \"help\" lists the verbs, ^D leaves.",
        "할일 \(tally.undone)개, 완료 \(tally.done)개. \"help\"는 명령 목록, ^D는 종료입니다.")
    }
    if status != .done { return status }
    session.lines = lines
    assist()
    while !session.isOver, !session.hasLostOutput, let line = nextLine() {
      // A ^C that comes from here on is for the command of the line.
      Interrupts.forget()
      if line.isBlankOrComment { continue }
      // The line's error has been reported; the prompt ends well all the same.
      _ = runner.run(line)
      // ^C is for all lines that were pasted with this one.
      if Interrupts.isRequested { lines.discardPending() }
      Interrupts.forget()
      session.rememberList()
      assist()
    }
    return .done
  }

  /// Gives the editor the colours and the language of the settings, which a line may change.
  private func assist() {
    session.preferences = session.base
    lines.assist(with: LineAssistant(session))
  }

  /// The next whole line: an open quote, or a backslash at the end, asks for more of it.
  ///
  /// ^D drops a line that is open, else leaves the group that is open, else ends the prompt.
  private func nextLine() -> LineTokenizer? {
    var open: (text: String, line: LineTokenizer)?
    while true {
      let prompt = open == nil ? prompt : "...> "
      let event = AmbiguousWidth.$columns.withValue(session.config.ambiguousWidth) {
        lines.next(prompt: prompt)
      }
      switch event {
      case .line(let typed):
        let text = open.map { $0.line.joining($0.text, with: typed) } ?? typed
        let line = LineTokenizer(text)
        if line.opening == nil {
          // A password that was typed by mistake is in no file.
          if !text.isEmpty, !text.hasPassword { lines.remember(text) }
          return line
        }
        open = (text, line)
      case .undecodable:
        session.report(CommandError(.notUTF8))
      case .interrupted(let hadText):
        if !hadText, open == nil {
          session.hint("^D or \"quit\" leaves.", "^D 또는 \"quit\"으로 나갑니다.")
        }
        open = nil
      case .end where open != nil:
        open = nil
      case .end where session.openGroup != nil:
        session.openGroup = nil
      case .end, .failed:
        return nil
      }
    }
  }

  /// The prompt, with the group that is open.
  private var prompt: String {
    session.openGroup.map { "todo/\($0.name.visible)> " } ?? "todo> "
  }
}

extension LocalizedText {
  fileprivate static let notUTF8 = LocalizedText("This line is not UTF-8.", "UTF-8이 아닌 줄입니다.")
}
