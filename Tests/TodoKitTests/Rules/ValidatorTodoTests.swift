import Presentation
import Testing
import TodoKit

@Suite("The rules for titles, priorities and drafts")
struct ValidatorTodoTests {
  @Test(arguments: ["", " ", "   ", "\t", "\n", "\r\n", "\u{3000}", "\u{00A0}", " \t\u{3000}\n "])
  func nothingButWhiteSpaceIsBlank(typed: String) {
    #expect(
      Validator.title.at(.title).validate(typed) == .invalid([ValidationIssue(.blank, at: "title")])
    )
  }

  @Test(arguments: [
    ("우유 사기", "우유 사기"), ("  milk", "milk"), ("milk\n", "milk"),
    ("\u{3000}보고서  쓰기\u{3000}", "보고서  쓰기"), ("👩‍👩‍👧", "👩‍👩‍👧"), (" - ", "-"),
  ])
  func titlesLoseTheWhiteSpaceAroundThemAndNothingElse(typed: String, title: String) {
    #expect(Validator.title.validate(typed) == .valid(title, warnings: []))
  }

  @Test func nilAndNoneBothCountAsMissing() {
    let missing = Validated<Priority>.invalid([ValidationIssue(.required)])
    #expect(Validator.priority.validate(nil) == missing)
    #expect(Validator.priority.validate(Priority.none) == missing)
  }

  @Test(arguments: [Priority.low, .normal, .high])
  func everyChosenPriorityIsAccepted(priority: Priority) {
    #expect(Validator.priority.validate(priority) == .valid(priority, warnings: []))
  }

  @Test func aDraftWithoutAnythingHasTwoIssuesTitleFirst() {
    let issues = Validator.draft.validate(TaskDraft(title: " ")).issues
    #expect(
      issues == [ValidationIssue(.blank, at: .title), ValidationIssue(.required, at: .priority)])
  }

  @Test func anAcceptedDraftIsTrimmedAndChosen() throws {
    let answer = Validator.draft.validate(TaskDraft(title: " milk ", priority: .low))
    guard case .valid(let draft, _) = answer else {
      Issue.record("refused: \(answer.issues)")
      return
    }
    #expect(draft == (title: "milk", priority: .low))
  }
}
