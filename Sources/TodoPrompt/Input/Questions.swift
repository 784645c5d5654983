import LineEditing
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
  private static let priorityExplanation = LocalizedText(
    "Type h, n or l and Enter. ^C cancels; \"config priority none\" ends this question.\n",
    "h, n, l 가운데 하나를 쓰고 Enter를 누르세요. ^C는 취소, \"config priority none\"은 묻지 않게 합니다.\n")

  /// Asks for a yes; Enter, the end of input and other words mean no.
  func confirm(_ question: LocalizedText) -> Bool {
    ask(question, read: Self.meaning) ?? false
  }

  /// Asks about several items together, and about each of them if the user wants that.
  ///
  /// - Parameter each: The question about each item.
  /// - Returns: The places of the items with a yes, in their order; empty for no, after the end of
  ///   input, and where none got one.
  func chosen(by question: LocalizedText, each: [LocalizedText]) -> [Int] {
    let answer = ask(question) { word -> Bulk? in
      switch word {
      case "e", "each", "하나씩", "ㄷ": .each
      default: Self.meaning(of: word).map { $0 ? .all : .none }
      }
    }
    switch answer {
    case .all: return Array(each.indices)
    case .each: return chosen(among: each)
    case .some(.none), nil: return []
    }
  }

  private enum Bulk { case all, none, each }
  private enum Single { case yes, no, rest, stop }

  private func chosen(among questions: [LocalizedText]) -> [Int] {
    var chosen: [Int] = []
    for index in questions.indices {
      let answer = ask(questions[index]) { word -> Single? in
        switch word {
        case "a", "all", "모두", "ㅁ": .rest
        case "q", "quit", "그만", "ㅂ": .stop
        default: Self.meaning(of: word).map { $0 ? .yes : .no }
        }
      }
      switch answer {
      case .yes: chosen.append(index)
      case .no: continue
      case .rest: return chosen + Array(questions.indices[index...])
      case .stop: return chosen
      // The end of input says nothing about the items that had a yes.
      case nil: return []
      }
    }
    return chosen
  }

  /// Whether a word is a yes; nil for one that is neither a yes nor a no.
  private static func meaning(of word: String) -> Bool? {
    switch word {
    case "y", "yes", "예", "네", "ㅛ": true
    case "", "n", "no", "아니요", "아니오", "ㅜ": false
    default: nil
    }
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
    ask(Self.priorityQuestion, explanation: Self.priorityExplanation) { word in
      let priority = Priority(word: word) ?? Priority(sign: word) ?? Self.priority(ofKey: word)
      return priority == Priority.none ? nil : priority
    }
  }

  /// The priority that h, n or l means, typed on a Korean keyboard.
  private static func priority(ofKey word: String) -> Priority? {
    switch word {
    case "ㅗ": .high
    case "ㅜ": .normal
    case "ㅣ": .low
    default: nil
    }
  }

  /// - Parameter explanation: What is printed before the question after an unknown answer.
  private func ask<Answer>(
    _ question: LocalizedText, explanation: LocalizedText = LocalizedText("", ""),
    read: (String) -> Answer?
  ) -> Answer? {
    for attempt in 0...Self.repeats {
      let text = (attempt > 0 ? explanation.text(in: language) : "") + question.text(in: language)
      guard let line = source.answer(to: text) else { return nil }
      if let answer = read(line.trimmed.lowercased()) { return answer }
    }
    return nil
  }
}
