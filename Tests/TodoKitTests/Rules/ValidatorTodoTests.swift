import Presentation
import Testing
import TodoKit
import TodoTestSupport

@Suite("The rules for titles, priorities and drafts")
struct ValidatorTodoTests {
  @Test(arguments: ["", " ", "   ", "\t", "\n", "\r\n", "\u{3000}", "\u{00A0}", " \t\u{3000}\n "])
  func nothingButWhiteSpaceIsBlank(typed: String) {
    #expect(
      Validator.title.at(.title).validate(typed) == .invalid([ValidationIssue(.blank, at: "title")])
    )
  }

  @Test(arguments: [
    "\u{200B}", " \u{200B}\u{FEFF}", "\u{200D}", "\u{2060}", "\u{00AD}", "\u{3164}",
  ])
  func whatIsNeverDrawnIsBlankToo(typed: String) {
    #expect(Validator.title.validate(typed) == .invalid([ValidationIssue(.blank)]))
    #expect(Validator.groupName.validate(typed) == .invalid([ValidationIssue(.blank)]))
  }

  @Test(arguments: [
    ("우유\u{200B}사기", "우유\u{200B}사기"), ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("❤️", "❤️"),
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
    guard case .valid(let item, _) = answer else {
      Issue.record("refused: \(answer.issues)")
      return
    }
    #expect(item.title == "milk" && item.priority == .low)
    #expect(item.groupID == nil && item.due == nil && item.tags == [])
  }

  @Test func aDraftsGroupDayAndTagsAreCarried() throws {
    let day = try #require(CalendarDay("2026-06-01"))
    let answer = Validator.draft.validate(
      TaskDraft(
        title: "milk", priority: .low, groupID: .numbered(1), due: day, tags: [" 집 ", "집", "b"]))
    guard case .valid(let item, _) = answer else {
      Issue.record("refused: \(answer.issues)")
      return
    }
    #expect(item.groupID == .numbered(1) && item.due == day && item.tags == ["집", "b"])
  }

  @Test func aFormWithANoteSetsItAndOneWithoutKeepsIt() throws {
    var shown = TodoItem(title: "milk", priority: .low)
    shown.note = "2 l"
    var draft = TaskDraft(title: "milk", priority: .low)
    #expect(try TodoAction.editTask(shown, draft).command.get().patch == ItemPatch())
    draft.note = ""
    #expect(try TodoAction.editTask(shown, draft).command.get().patch == ItemPatch(note: ""))
    draft.note = "1 l"
    #expect(try Validator.draft.validate(draft).get().note == "1 l")
  }

  @Test func aBlankTagIsNamedByItsPosition() {
    #expect(
      Validator.tags.at(.tags).validate(["home", "\u{3000}"])
        == .invalid([ValidationIssue(.blank, at: ["tags", .index(1)])]))
  }

  @Test func aTagInAnotherNormalFormIsTheSameTag() {
    let decomposed = "\u{1112}\u{1161}\u{11AB}"
    #expect(Validator.tags.validate(["한", decomposed]) == .valid(["한"], warnings: []))
  }
}

extension TodoCommand {
  /// The changes of an edit of items; nil for other commands.
  fileprivate var patch: ItemPatch? {
    if case .editItems(_, let patch, _, _) = self { patch } else { nil }
  }
}
