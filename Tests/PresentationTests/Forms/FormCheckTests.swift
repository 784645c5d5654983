import Dispatch
import Presentation
import Reactive
import ReactiveTesting
import ReactiveTestSupport
import Testing

private let taken = ValidationIssue(.notUnique, at: "title")

/// Answers which titles are taken, after 2 seconds; a form waits 3 before it asks.
private struct Registry: Sendable {
  let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
  let asked = Recorder<String>()

  var check: AsyncValidator<String> {
    AsyncValidator(debounce: .seconds(3), scheduler: scheduler) { [asked, scheduler] title in
      asked.on(.next(title))
      let issues = title.hasPrefix("taken") ? [ValidationIssue(.notUnique)] : []
      return Observable<Int>.timer(.seconds(2), scheduler: scheduler).map { _ in
        if title == "broken" { throw Refusal.broken }
        return issues
      }.asSingle()
    }
  }
}

@Suite("Form, with checks that take time", .accounted)
struct FormCheckTests {
  private let registry = Registry()
  private var scheduler: TestScheduler { registry.scheduler }

  private func makeForm(policy: IssuePolicy = IssuePolicy(.onChange)) -> TaskForm {
    TaskForm(TaskEntry(priority: 1), policy: policy, check: registry.check)
  }

  @Test func aCheckRunsOnlyWhenTheOtherRulesPass() {
    let task = makeForm()
    task.form.set(\.title, to: " ")
    scheduler.advanceTo(10)
    #expect(registry.asked.elements == [] && !task.state.isValidating)
    task.form.set(\.title, to: "new")
    #expect(task.state.isValidating)
    task.form.set(\.title, to: "")
    #expect(!task.state.isValidating)
    scheduler.advanceTo(20)
    #expect(registry.asked.elements == [])
  }

  @Test func aCheckWaitsUntilNothingWasTypedForAWhile() {
    let task = makeForm()
    for (time, title) in ["t", "ta", "taken"].enumerated() {
      scheduler.advanceTo(time)
      task.form.set(\.title, to: title)
    }
    scheduler.advanceTo(4)
    #expect(registry.asked.elements == [])
    scheduler.advanceTo(5)
    #expect(registry.asked.elements == ["taken"])
    scheduler.advanceTo(7)
    #expect(task.state.field(\.title).visibleIssues == [taken])
  }

  @Test func onlyTheLatestAnswerCounts() {
    let task = makeForm()
    task.form.set(\.title, to: "taken")
    scheduler.advanceTo(4)
    task.form.set(\.title, to: "free")
    scheduler.advanceTo(6)
    #expect(task.state.issues == [] && task.state.isValidating)
    scheduler.advanceTo(20)
    #expect(task.state.issues == [] && !task.state.isValidating)
    #expect(registry.asked.elements == ["taken", "free"])
  }

  @Test func anEditTakesTheAnswerAboutTheValueBeforeAway() {
    let task = makeForm()
    task.form.set(\.title, to: "taken")
    scheduler.advanceTo(10)
    #expect(task.state.issues == [taken])
    task.form.set(\.title, to: "taken?")
    #expect(task.state.issues == [])
  }

  @Test func anotherFieldsEditKeepsTheAnswer() {
    let task = makeForm()
    task.form.set(\.title, to: "taken")
    scheduler.advanceTo(10)
    task.form.set(\.note, to: "x")
    scheduler.advanceTo(30)
    #expect(task.state.issues == [taken] && registry.asked.elements.count == 1)
  }

  @Test func aPendingCheckBlocksTheSubmitUntilItIsAnswered() {
    let task = makeForm()
    task.form.set(\.title, to: "free")
    #expect(!task.state.canSubmit)
    task.form.submit()
    #expect(task.state.phase == .waiting && task.asked.elements.isEmpty)
    scheduler.advanceTo(5)
    #expect(task.state.phase == .submitting && task.asked.elements.map(\.title) == ["free"])
  }

  @Test func aSubmitThatWaitedIsRefusedWhenTheAnswerIsNo() {
    let task = makeForm()
    task.form.set(\.title, to: "taken")
    task.form.submit()
    scheduler.advanceTo(5)
    #expect(task.state.phase == .editing && task.state.visibleIssues == [taken])
    #expect(task.asked.elements.isEmpty)
  }

  @Test func anEditWhileASubmitWaitsCallsItOff() {
    let task = makeForm()
    task.form.set(\.title, to: "free")
    task.form.submit()
    task.form.set(\.title, to: "other")
    #expect(task.state.phase == .editing)
    scheduler.advanceTo(20)
    #expect(task.asked.elements.isEmpty)
  }

  @Test func whatWasNeverAskedAboutIsAskedAtOnceByASubmit() {
    let task = TaskForm(TaskEntry(title: "free", priority: 1), check: registry.check)
    task.form.submit()
    #expect(registry.asked.elements == ["free"])
    scheduler.advanceTo(2)
    #expect(task.asked.elements.map(\.title) == ["free"])
  }

  @Test func aCheckThatFailsIsAWarningAndBlocksNothing() {
    let task = makeForm()
    task.form.set(\.title, to: "broken")
    scheduler.advanceTo(10)
    #expect(task.state.issues == [ValidationIssue(.unchecked, at: "title", severity: .warning)])
    task.form.submit()
    #expect(task.asked.elements.map(\.title) == ["broken"])
  }

  @Test func aLateAnswerIsShownWhereTheFieldWasLeftBefore() {
    let task = makeForm(policy: IssuePolicy(.onBlur))
    task.form.set(\.title, to: "taken")
    task.form.blur(\.title)
    scheduler.advanceTo(10)
    #expect(task.state.visibleIssues == [taken])
    task.form.set(\.title, to: "taken2")
    scheduler.advanceTo(20)
    #expect(task.state.visibleIssues == [taken], "as it was when the field was left")
  }

  @Test func resettingForgetsWhatIsAsked() {
    let task = makeForm()
    task.form.set(\.title, to: "taken")
    scheduler.advanceTo(4)
    task.form.reset()
    scheduler.advanceTo(20)
    #expect(task.state.issues.map(\.code) == [.blank] && !task.state.isValidating)
  }
}
