/// A source of command lines.
package protocol LineSource: AnyObject {
  /// Waits for the next line.
  ///
  /// - Parameter prompt: The text to show where a user types; empty in scripts.
  func next(prompt: String) -> LineEvent
  /// Waits for a text that is edited in a line, without completion.
  ///
  /// Its history are the texts that were edited before. A source that cannot edit ignores the text.
  /// Lines that have come before are no answer: they are returned by `next` afterwards, and so are
  /// lines that come after the first one.
  func edit(_ text: String, prompt: String) -> LineEvent
  /// Drops lines that have come and were not returned, such as the rest of a pasted script.
  ///
  /// - Returns: How many there were.
  @discardableResult func discardPending() -> Int
  /// Adds a whole command to the history, if the source has one.
  func remember(_ entry: String)
  /// Takes what completes and colours lines, if the source edits them.
  func assist(with assistant: LineAssistant)
}

extension LineSource {
  /// Waits for the next line, without the text, which cannot be edited.
  package func edit(_ text: String, prompt: String) -> LineEvent { next(prompt: prompt) }
  /// Drops nothing.
  package func discardPending() -> Int { 0 }
  /// Has no history.
  package func remember(_ entry: String) {}
  /// Needs no assistant.
  package func assist(with assistant: LineAssistant) {}
}

/// What a source of lines gives.
package enum LineEvent: Equatable {
  /// A line without its newline.
  case line(String)
  /// A line that is not UTF-8.
  case undecodable
  /// ^C; the typed text is dropped.
  case interrupted(hadText: Bool)
  /// The end of the input.
  case end
  /// The input cannot be read; the beginning of a line is dropped.
  case failed(code: Int32)
}

/// Lines of a plain stream: scripts, pipes, and terminals that cannot edit a line.
///
/// Threads: one.
package final class PlainLines: LineSource {
  private let descriptor: FileDescriptor
  private let promptOutput: (any TerminalOutput)?
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var bytes: [UInt8] = []
  /// The index after the lines that were returned.
  private var start = 0
  private var isAtBeginning = true

  /// Reads the lines of a descriptor.
  ///
  /// - Parameter promptOutput: Where prompts are shown; nil if no user types.
  package init(_ descriptor: FileDescriptor, promptOutput: (any TerminalOutput)? = nil) {
    self.descriptor = descriptor
    self.promptOutput = promptOutput
  }

  /// Waits for the next line, after showing the prompt where a user types.
  package func next(prompt: String) -> LineEvent {
    if let promptOutput, !prompt.isEmpty {
      // Before the prompt is shown: a later ^C is meant for this line.
      Interrupts.forget()
      promptOutput.show(prompt)
    }
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return event(of: bytes[start..<end])
      }
      searched = bytes.count
      switch descriptor.read(into: &chunk) {
      case .bytes(let count):
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes += chunk[..<count]
      case .interrupted:
        // The terminal's own echo of ^C is after the prompt.
        if !prompt.isEmpty { promptOutput?.write("\n") }
        return .interrupted(hadText: start < bytes.count)
      case .failed(let code):
        // A part of a line could say something else than the whole one.
        discardPending()
        return .failed(code: code)
      case .closed:
        // The cursor is still after the prompt.
        if start == bytes.count, !prompt.isEmpty { promptOutput?.write("\n") }
        return rest()
      }
    }
  }

  /// Drops lines that were read and not returned.
  @discardableResult package func discardPending() -> Int {
    defer { start = bytes.count }
    let rest = bytes[start...]
    // The last line may lack its newline.
    return rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast(rest.last == UInt8(ascii: "\n") || rest.isEmpty ? 1 : 0).count
  }

  /// The last line, which may lack its newline; then the end.
  private func rest() -> LineEvent {
    defer { start = bytes.count }
    return start < bytes.count ? event(of: bytes[start...]) : .end
  }

  private func event(of line: ArraySlice<UInt8>) -> LineEvent {
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if isAtBeginning, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isAtBeginning = false
    return String(validating: line, as: UTF8.self).map(LineEvent.line) ?? .undecodable
  }
}

/// A user who can be asked.
package protocol AnswerSource: AnyObject {
  /// Shows a question and waits for a line; nil without one, as after ^D or ^C.
  ///
  /// Input that was typed before the question was shown is discarded.
  func answer(to question: String) -> String?
}

/// The user at the terminal: questions on standard error, answers on standard input.
package final class TerminalAnswers: AnswerSource {
  private let lines: PlainLines
  private let output: any TerminalOutput

  /// Asks on an output, and reads answers from the lines.
  package init(lines: PlainLines, output: any TerminalOutput) {
    self.lines = lines
    self.output = output
  }

  /// Shows a question and waits for a line; nil without one.
  package func answer(to question: String) -> String? {
    // Before the question is shown: input that is typed later may be its answer.
    FileDescriptor.standardInput.discardTypedAhead()
    Interrupts.forget()
    lines.discardPending()
    output.show(question)
    if case .line(let text) = lines.next(prompt: "") { return text }
    // The cursor is still after the question.
    output.write("\n")
    return nil
  }
}
