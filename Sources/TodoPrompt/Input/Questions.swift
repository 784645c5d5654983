import TodoKit

/// A user who can be asked.
protocol AnswerSource: AnyObject {
  /// Shows a question and waits for a line; nil without one, as after ^D or ^C.
  ///
  /// Input that was typed before the question was shown is discarded.
  func answer(to question: String) -> String?
}

/// The user at the terminal: questions on standard error, answers on standard input.
final class TerminalAnswers: AnswerSource {
  private let lines: PlainLines
  private let output: any TextOutput

  init(lines: PlainLines, output: any TextOutput) {
    self.lines = lines
    self.output = output
  }

  func answer(to question: String) -> String? {
    // Before the question is shown: input that is typed later may be its answer.
    FileDescriptor.standardInput.discardTypedAhead()
    Interrupts.forget()
    lines.discardPending()
    output.write(question)
    output.flush()
    if case .line(let text) = lines.next(prompt: "") { return text }
    // The cursor is still behind the question.
    output.write("\n")
    return nil
  }
}

/// The questions of the prompt, and the words that answer them.
struct Questions {
  let source: any AnswerSource
  let language: MessageLanguage

  /// How often a question is repeated after an answer that is none of its answers.
  private static let repeats = 2

  private static let priorityQuestion = LocalizedText(
    "Priority: [h]igh [n]ormal [l]ow? ", "중요도: [h]높음 [n]보통 [l]낮음? ")

  /// Asks for a yes; Enter, the end of input and other words mean no.
  func confirm(_ question: LocalizedText) -> Bool {
    ask(question) { word in
      switch word {
      case "y", "yes", "예", "네", "ㅛ": true
      case "", "n", "no", "아니요", "아니오", "ㅜ": false
      default: nil
      }
    } ?? false
  }

  /// Asks for a number to be typed, which is harder to do by mistake than `y`.
  ///
  /// After other numbers and words the question is repeated; Enter and the end of input mean no.
  func confirm(_ question: LocalizedText, byTyping number: Int) -> Bool {
    ask(question) { word in
      switch word {
      case String(number): true
      case "", "n", "no", "아니요", "아니오": false
      default: nil
      }
    } ?? false
  }

  /// Asks for a priority; nil when none was chosen.
  func priority() -> Priority? {
    ask(Self.priorityQuestion) { word in
      let priority = Priority(word: word) ?? Priority(sign: word)
      return priority == Priority.none ? nil : priority
    }
  }

  private func ask<Answer>(_ question: LocalizedText, read: (String) -> Answer?) -> Answer? {
    for _ in 0...Self.repeats {
      guard let line = source.answer(to: question.text(in: language)) else { return nil }
      if let answer = read(line.trimmed.lowercased()) { return answer }
    }
    return nil
  }
}
