/// The prompt: one line, one answer, until ^D or `quit`.
///
/// An error is told and forgotten; the next line is a new attempt.
struct PromptRunner {
  let session: Session
  let lines: any LineSource

  func run() -> ProgramStatus {
    do throws(CommandError) {
      try session.welcome()
    } catch {
      session.report(error)
      return error.status
    }
    while let line = nextCommand() {
      if LineTokenizer.isBlankOrComment(line) { continue }
      do throws(CommandError) {
        if case .leave = try session.run(line: LineTokenizer(line).words) { break }
      } catch {
        session.report(error)
      }
      session.remember()
    }
    return .done
  }

  /// The next whole command: an open quote, or a backslash at the end, asks for more.
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
        if !hadText, command == nil { session.hint(.howToLeave) }
        command = nil
      case .end:
        return nil
      }
    }
  }
}
