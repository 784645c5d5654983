import TodoKit

/// The place of a line in a script, for errors.
struct ScriptPlace {
  /// The line's number, in words.
  let name: LocalizedText
  /// The line itself; empty if it could not be decoded.
  let line: String
}

/// Runs lines that nobody types one by one: `-c`, and the lines of standard input.
///
/// The first error ends it, unless it keeps going; the exit code is that of a failure then too.
struct ScriptRunner {
  let session: Session
  let keepsGoing: Bool

  /// Runs the values of `-c`, each a whole line.
  func run(commands: [String]) -> ProgramStatus {
    var status = ProgramStatus.done
    for (index, line) in commands.enumerated() where !LineTokenizer.isBlankOrComment(line) {
      let name = LocalizedText("-c \(index + 1)", "\(index + 1)번째 -c")
      let place = commands.count > 1 ? ScriptPlace(name: name, line: line) : nil
      let ending = session.run(LineTokenizer(line).words, at: place)
      if ending != .done {
        if !keepsGoing { return ending }
        status = .failed
      }
      if session.isOver { break }
    }
    return status
  }

  /// Runs the lines of a script until it ends.
  func run(lines: any LineSource) -> ProgramStatus {
    var status = ProgramStatus.done
    var number = 0
    while let (line, count, isText) = nextCommand(from: lines) {
      let name = LocalizedText("line \(number + 1)", "\(number + 1)번째 줄")
      let place = ScriptPlace(name: name, line: line)
      number += count
      if isText, LineTokenizer.isBlankOrComment(line) { continue }
      let ending =
        isText
        ? session.run(LineTokenizer(line).words, at: place)
        : session.attempt(at: place) { () throws(CommandError) in
          throw CommandError(.notUTF8)
        }
      if ending != .done {
        status = .failed
        if !keepsGoing { break }
      }
      if session.isOver { break }
    }
    return status
  }

  /// The next command and its number of lines: a backslash at the end joins the next line.
  private func nextCommand(
    from lines: any LineSource
  ) -> (text: String, lineCount: Int, isText: Bool)? {
    var command = ""
    var count = 0
    while true {
      count += 1
      switch lines.next(prompt: "") {
      case .line(let line):
        command += line
        guard command.hasSuffix("\\"), LineTokenizer(command).opening == .backslash,
          !LineTokenizer.isBlankOrComment(command)
        else { return (command, count, true) }
        command.removeLast()
      case .undecodable: return (command, count, false)
      case .interrupted: continue
      case .end: return count > 1 ? (command, count - 1, true) : nil
      }
    }
  }
}

/// The prompt: reads a line, answers it, until ^D or `quit`.
///
/// An error is reported, and the next line runs as if there had been none.
struct PromptRunner {
  let session: Session
  let lines: any LineSource

  func run() -> ProgramStatus {
    let status = session.attempt { () throws(CommandError) in
      let tally = try session.read { repository throws in try repository.tally(of: .all) }
      session.hint(Self.welcome(open: tally.undone, completed: tally.done))
    }
    if status != .done { return status }
    while !session.isOver, let line = nextCommand() {
      if LineTokenizer.isBlankOrComment(line) { continue }
      // The line's error has been reported; the prompt ends well all the same.
      _ = session.run(LineTokenizer(line).words)
      session.rememberList()
    }
    return .done
  }

  /// The next whole command: an open quote, or a backslash at the end, asks for another line.
  private func nextCommand() -> String? {
    var command: String?
    while true {
      switch lines.next(prompt: command == nil ? "todo> " : "...> ") {
      case .line(let line):
        let text = command.map { LineTokenizer($0).joining($0, with: line) } ?? line
        if LineTokenizer.isBlankOrComment(text) || LineTokenizer(text).opening == nil {
          return text
        }
        command = text
      case .undecodable:
        session.report(CommandError(.notUTF8))
      case .interrupted(let hadText):
        if !hadText, command == nil { session.hint(Self.howToLeave) }
        command = nil
      case .end:
        return nil
      }
    }
  }

  private static func welcome(open: Int, completed: Int) -> LocalizedText {
    LocalizedText(
      "\(open) open, \(completed) completed. \"help\" lists the verbs, ^D leaves.",
      "할일 \(open)개, 완료 \(completed)개. \"help\"는 명령 목록, ^D는 종료입니다.")
  }

  private static let howToLeave = LocalizedText(
    "^D or \"quit\" leaves.", "^D 또는 \"quit\"으로 나갑니다.")
}

extension LocalizedText {
  fileprivate static let notUTF8 = LocalizedText("This line is not UTF-8.", "UTF-8이 아닌 줄입니다.")
}
