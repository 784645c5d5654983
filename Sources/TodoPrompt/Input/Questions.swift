import TodoKit

/// Somebody who can be asked.
protocol AnswerSource: AnyObject {
  /// Shows a question and waits for a line; nil when there is none, as after ^D or ^C.
  ///
  /// What was typed before the question was there is no answer to it.
  func answer(to question: String) -> String?
}

/// The person at the terminal: questions on standard error, answers on standard input.
final class TerminalAnswers: AnswerSource {
  private let lines: PlainLines
  private let output: any TextOutput

  init(lines: PlainLines, output: any TextOutput) {
    self.lines = lines
    self.output = output
  }

  func answer(to question: String) -> String? {
    // Before the question is there: what is typed from then on may be its answer.
    FileDescriptor.standardInput.discardTypedAhead()
    Interrupts.forget()
    lines.discardPending()
    output.write(question)
    output.flush()
    if case .line(let text) = lines.next(prompt: "") { return text }
    // The cursor still stands behind the question.
    output.write("\n")
    return nil
  }
}

/// The questions the prompt asks, and what counts as an answer.
struct Questions {
  let source: any AnswerSource
  let language: MessageLanguage

  /// An answer that is none is asked for again this often.
  private static let repeats = 2

  /// Asks for a yes; Enter, the end of input and talk mean no.
  func confirm(_ question: LocalizedText) -> Bool {
    ask(question) { word in
      switch word {
      case "y", "yes", "예", "네", "ㅛ": true
      case "", "n", "no", "아니요", "아니오", "ㅜ": false
      default: nil
      }
    } ?? false
  }

  /// Asks for a number to be typed, which nobody does without thinking.
  ///
  /// Another number and talk are asked about again; Enter and the end of input mean no.
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
    ask(.priorityQuestion) { word in
      let priority = Priority(word: word) ?? Priority(sigil: word)
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
