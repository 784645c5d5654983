import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

private let blank = ValidationIssue(.blank, at: "title")

/// One thing that a user does to the title.
private enum Step: Sendable {
  case type(String)
  case leave
  case submit
}

@Suite("Form, showing issues by policy", .accounted)
struct FormVisibilityTests {
  /// Whether the title's issue is shown after each step.
  private func shown(_ policy: IssuePolicy, _ steps: [Step]) -> [Bool] {
    let task = TaskForm(TaskEntry(title: "x", priority: 1), policy: policy)
    return steps.map { step in
      switch step {
      case .type(let title): task.form.set(\.title, to: title)
      case .leave: task.form.blur(\.title)
      case .submit: task.form.submit()
      }
      return task.state.field(\.title).visibleIssues == [blank]
    }
  }

  @Test func nothingIsShownBeforeTheUserDidAnything() {
    for mode in IssuePolicy.Mode.allCases {
      let task = TaskForm(policy: IssuePolicy(mode))
      #expect(task.state.visibleIssues == [] && task.state.issues.count == 2)
    }
  }

  @Test func onSubmitShowsNothingBefore() {
    let steps: [Step] = [.type(""), .leave, .submit]
    #expect(shown(IssuePolicy(.onSubmit), steps) == [false, false, true])
  }

  @Test func onBlurShowsWhatWasWrongWhenTheFieldWasLeft() {
    let steps: [Step] = [.type(""), .leave, .type("a"), .leave, .type(""), .leave]
    #expect(shown(IssuePolicy(.onBlur), steps) == [false, true, true, false, false, true])
  }

  @Test func onChangeShowsWithEveryChange() {
    let steps: [Step] = [.leave, .type(""), .type("a"), .type("")]
    #expect(shown(IssuePolicy(.onChange), steps) == [false, true, false, true])
  }

  @Test func onTouchedWaitsForTheFirstBlurAndThenKeepsUp() {
    let steps: [Step] = [.type(""), .leave, .type("a"), .type("")]
    #expect(shown(IssuePolicy(.onTouched), steps) == [false, true, false, true])
    #expect(shown(IssuePolicy(), steps) == [false, true, false, true], "the default")
  }

  @Test func allShowsWithWhateverComesFirst() {
    #expect(shown(IssuePolicy(.all), [.type("")]) == [true])
    let task = TaskForm(TaskEntry(priority: 1), policy: IssuePolicy(.all))
    task.form.blur(\.title)
    #expect(task.state.visibleIssues == [blank])
  }

  @Test func afterASubmitIssuesFollowTheRevalidationAlone() {
    let steps: [Step] = [.type(""), .submit, .type("a"), .leave, .type(""), .leave, .submit]
    for mode in IssuePolicy.Mode.allCases {
      let before = mode == .onChange || mode == .all
      #expect(
        shown(IssuePolicy(mode, then: .onChange), steps)
          == [before, true, false, false, true, true, true])
      #expect(
        shown(IssuePolicy(mode, then: .onBlur), steps)
          == [before, true, true, false, false, true, true])
      #expect(
        shown(IssuePolicy(mode, then: .onSubmit), steps)
          == [before, true, true, true, true, true, true])
    }
  }

  @Test func formLevelIssuesAreShownFromTheFirstSubmitOn() {
    let sum = ValidationIssue("sum")
    let rule = CrossFieldRule<TaskEntry>(\.title, \.note) { $0.note.isEmpty ? [sum] : [] }
    let task = TaskForm(TaskEntry(title: "a", priority: 1), crossFieldRules: [rule])
    #expect(task.state.formIssues == [sum] && task.state.visibleFormIssues == [])
    task.form.submit()
    #expect(task.state.visibleFormIssues == [sum])
    #expect(task.asked.elements.isEmpty)
    task.form.set(\.note, to: "x")
    #expect(task.state.visibleFormIssues == [])
  }
}

@Suite("Form, with rules about several fields", .accounted)
struct CrossFieldRuleTests {
  private struct Passwords: Equatable, Sendable {
    var password = ""
    var repeated = ""
    var hint = ""
  }

  private let calls = Counter()

  private func makeForm() -> Form<Passwords, Passwords> {
    Form(
      Passwords(),
      fields: [
        FormField(\.password, at: "password"), FormField(\.repeated, at: "repeated"),
        FormField(\.hint, at: "hint"),
      ], rule: .transform { $0 },
      crossFieldRules: [
        CrossFieldRule(\.password, \.repeated) { [calls] entry in
          calls.increment()
          return entry.password == entry.repeated
            ? [] : [ValidationIssue(.mismatch, at: "repeated")]
        }
      ]
    ) { .just($0) }
  }

  @Test func aRuleIsAskedAgainWhenAFieldItReadsChanges() {
    let form = makeForm()
    form.set(\.password, to: "a")
    #expect(form.state.field(\.repeated).issues.map(\.code) == [.mismatch])
    form.set(\.repeated, to: "a")
    #expect(form.state.issues == [])
    form.set(\.password, to: "b")
    #expect(form.state.issues.map(\.code) == [.mismatch])
  }

  @Test func aRuleIsNotAskedWhenNoFieldItReadsChanges() {
    let form = makeForm()
    let before = calls.value
    form.set(\.hint, to: "x")
    form.blur(\.password)
    form.submit()
    #expect(calls.value == before)
  }

  @Test func anotherFieldsChangeShowsNothingAtAFieldTheUserHasNotBeenTo() {
    let form = makeForm()
    form.set(\.password, to: "a")
    form.blur(\.password)
    #expect(form.state.visibleIssues == [])
    form.set(\.repeated, to: "a")
    form.blur(\.repeated)
    form.set(\.password, to: "b")
    #expect(form.state.visibleIssues.map(\.code) == [.mismatch])
  }

  @Test func aRuleThatReadsWhatIsNotDeclaredIsRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = Form(
        Pair(), fields: [FormField(\Pair.a, at: "a")], rule: .transform { $0 },
        crossFieldRules: [CrossFieldRule(\Pair.b) { _ in [] }]
      ) { Observable<Pair>.just($0) }
    }
  }
}
