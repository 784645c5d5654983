import Foundation
import Presentation
import Testing
import TodoKit

@testable import TodoPrompt

/// A line as a task, for front ends other than the prompt.
@Suite struct TypedTaskTests {
  private let repository: CroftTodoRepository
  private let home: TodoGroup

  init() throws {
    repository = try CroftTodoRepository.inMemory()
    home = try repository.perform(.addGroup(name: "집안일")).groups[0]
  }

  private func settings(_ variables: [String: String] = [:]) -> TodoSettings {
    // 2 January 2026, a Friday.
    let clock = WallClock(
      now: { Date(timeIntervalSince1970: 1_767_312_000) }, secondsFromUTC: { _ in 0 })
    return TodoSettings(storePath: nil) { [repository] in
      let transcript = Transcript()
      let output = RecordedOutput(transcript, .output, isTerminal: false, columns: nil)
      return Environment(
        variables: variables, output: output, messages: output, answers: nil, terminal: nil,
        clock: clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
        openRepository: { _, _ in repository })
    }
  }

  private func typed(_ line: String, in place: UUID? = nil) throws -> TypedTask {
    try TypedTask(line: line, in: place, of: repository, settings: settings())
  }

  @Test func aLineIsReadAsThePromptReadsIt() throws {
    let task = try typed("우유 사기 @집안일 due:내일 !high #장보기 every:매주")
    #expect(task.draft.title == "우유 사기")
    #expect(task.draft.groupID == home.id)
    #expect(task.draft.due == CalendarDay("2026-01-03"))
    #expect(task.draft.priority == .high)
    #expect(task.draft.tags == ["장보기"])
    #expect(task.draft.repeats != nil)
    #expect(task.group == home)
    #expect(task.newGroup == nil)
  }

  @Test func aLineWithoutAGroupIsForTheListThatIsOpen() throws {
    #expect(try typed("bread", in: home.id).draft.groupID == home.id)
    #expect(try typed("bread @none", in: home.id).draft.groupID == nil)
  }

  /// How an item repeats, waits and how long it takes is a line of its own in a form.
  @Test func aPlanIsReadAsALineIsAndWrittenSo() throws {
    let plan = try TypedPlan(line: "매주:토 wait:내일 예상:30분", settings: settings())
    #expect(plan.draft.hiddenUntil == CalendarDay("2026-01-03"))
    var item = TodoItem(title: "bread")
    #expect(TypedPlan.line(of: item) == "")
    (item.repeats, item.hiddenUntil, item.estimate) = (
      plan.draft.repeats, plan.draft.hiddenUntil, plan.draft.estimate
    )
    #expect(TypedPlan(item) == plan)
    #expect(TypedPlan.line(of: item) == "every:sat wait:2026-01-03 est:30m")
    #expect(try TypedPlan(line: TypedPlan.line(of: item), settings: settings()) == plan)
    #expect(try TypedPlan(line: " ", settings: settings()) == TypedPlan(TodoItem(title: "")))
  }

  @Test(arguments: ["bread", "@집안일", "#shop", "!high", "due:fri", "every:never", "est:"])
  func aPlanSaysNothingElse(line: String) throws {
    #expect(throws: PromptError.self) { try TypedPlan(line: line, settings: settings()) }
  }

  @Test func aGroupThatDoesNotExistIsNamed() throws {
    let task = try typed("bread @new", in: home.id)
    #expect(task.newGroup == "new")
    #expect(task.draft.groupID == nil)
  }

  @Test func whatLooksLikeAnOptionOrACommentIsText() throws {
    for line in ["-5 degrees --db x", "--pri is no option here"] {
      #expect(try typed(line).draft.title == line)
    }
    let tagged = try typed("#tag alone").draft
    #expect(tagged.tags == ["tag"] && tagged.title == "alone")
  }

  @Test(arguments: ["x due:never", "x !h !l", "x @important", "x every:moon"])
  func wordsThatMeanNothingAreRefusedInBothLanguages(line: String) {
    let error = #expect(throws: PromptError.self) { try typed(line) }
    #expect(error?.text(in: .english).isEmpty == false)
    #expect(error?.text(in: .korean) != error?.text(in: .english))
  }

  @Test func thePriorityOfALineWithoutOneIsTheOneThatIsSet() throws {
    let set = settings(["TODO_PRIORITY": "low"])
    let task = try TypedTask(line: "bread", in: nil, of: repository, settings: set)
    #expect(task.draft.priority == .low)
    #expect(try typed("bread").draft.priority == nil)
    // One that is chosen beside the line comes before it, and one in the line before both.
    let chosen = try TypedTask(
      line: "bread", in: nil, of: repository, settings: set, priority: .high)
    #expect(chosen.draft.priority == .high)
    let both = try TypedTask(
      line: "bread !n", in: nil, of: repository, settings: set, priority: .high)
    #expect(both.draft.priority == .normal)
    let bad = settings(["TODO_PRIORITY": "huge"])
    #expect(throws: PromptError.self) { try bad.priority() }
  }
}
