import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct QuestionsTests {
  private func confirm(_ answers: [String]) -> (isYes: Bool, asked: Int) {
    let source = PreparedAnswers(answers)
    let questions = Questions(source: source, language: .english)
    return (questions.confirm(RemoveCommand.question(2)), source.questions.count)
  }

  @Test(arguments: ["y", "Y", "yes", " yes ", "네", "예", "ㅛ"])
  func aYesIsAYes(answer: String) {
    #expect(confirm([answer]) == (true, 1))
  }

  @Test(arguments: ["", "n", "N", "no", "아니요", "ㅜ"])
  func enterAndNoAreNo(answer: String) {
    #expect(confirm([answer, "y"]) == (false, 1))
  }

  @Test func theEndOfInputIsNo() {
    #expect(confirm([]) == (false, 1))
  }

  @Test func talkIsAskedAgainTwiceAndThenNo() {
    #expect(confirm(["maybe", "yo", "y"]) == (true, 3))
    #expect(confirm(["maybe", "yo", "what", "y"]) == (false, 3))
  }

  @Test(arguments: [
    (["3"], true, 1), (["2", " 3 "], true, 2), (["yes", "2", "3"], true, 3),
    (["1", "2", "4", "3"], false, 3), (["", "3"], false, 1), (["아니요", "3"], false, 1),
    ([], false, 1),
  ])
  func aNumberIsAskedForThreeTimesAtMost(answers: [String], isYes: Bool, asked: Int) {
    let source = PreparedAnswers(answers)
    let questions = Questions(source: source, language: .english)
    #expect(questions.confirm(RemoveCommand.questionForAll(of: nil, 3), byTyping: 3) == isYes)
    #expect(source.questions.count == asked)
  }

  /// y and n are about one item, a about it and the rest, q about it and the rest too.
  @Test(arguments: [
    (["y"], [0, 1, 2, 3]), (["n"], []), ([""], []), ([], []), (["x", "x", "x"], []),
    (["e", "y", "n", "y", "n"], [0, 2]), (["e", "n", "a"], [1, 2, 3]), (["e", "a"], [0, 1, 2, 3]),
    (["e", "y", "q"], [0]), (["e", "q"], []), (["e", "y", ""], []),
    (["e", "y", "", "", "y"], [0, 3]),
    (["e", "y", "y"], []), (["ㄷ", "ㅛ", "ㅁ"], [0, 1, 2, 3]), (["e", "x", "y", "q"], [0]),
  ])
  func severalAreAskedAboutTogetherOrEach(answers: [String], chosen: [Int]) {
    let questions = Questions(source: PreparedAnswers(answers), language: .english)
    let each = (0..<4).map { LocalizedText("\($0)?", "\($0)?") }
    #expect(questions.chosen(by: RemoveCommand.question(4), each: each) == chosen)
  }

  @Test func oneCapitalLetterShowsWhatEnterMeans() {
    let question = RemoveCommand.question(1)
    #expect(question.english.contains("[y/N]"))
    #expect(question.korean.contains("[y/N]"))
  }

  @Test(arguments: [
    ("h", Priority.high), ("HIGH", .high), ("높음", .high), ("!n", .normal), ("보통", .normal),
    ("l", .low),
  ])
  func readsAPriority(answer: String, priority: Priority) {
    let questions = Questions(source: PreparedAnswers([answer]), language: .korean)
    #expect(questions.priority() == priority)
  }

  @Test func noPriorityIsNoAnswer() {
    let source = PreparedAnswers(["", "none", "x", "h"])
    #expect(Questions(source: source, language: .english).priority() == nil)
    #expect(source.questions.count == 3)
  }
}
