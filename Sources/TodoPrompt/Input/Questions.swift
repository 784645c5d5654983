import Presentation
import TodoKit

/// The questions of the prompt, and the words that answer them.
struct Questions {
  let source: any AnswerSource
  let language: TextLanguage

  /// How often a question is repeated after an unknown answer.
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

  /// Asks the user to type a number, which is harder to type by mistake than `y`.
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

  /// Asks for a priority; nil if the user chose none.
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
