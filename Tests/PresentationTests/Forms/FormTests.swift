import Presentation
import Reactive
import ReactiveTestSupport
import Testing

private let blankTitle = ValidationIssue(.blank, at: "title")
private let noPriority = ValidationIssue(.required, at: "priority")

@Suite("Form, for a to-do", .accounted)
struct TodoFormTests {
  private let bag = DisposeBag()

  @Test(arguments: ["", " ", "\n\t\u{3000}"])
  func anEmptyOrWhitespaceTitleIsBlankAtTitle(title: String) {
    let task = TaskForm(TaskEntry(title: title, priority: 1))
    #expect(task.state.issues == [blankTitle])
    #expect(task.state.field(\.title).issues == [blankTitle])
  }

  @Test func aMissingPriorityIsRequiredAtPriority() {
    let task = TaskForm(TaskEntry(title: "Buy milk"))
    #expect(task.state.issues == [noPriority])
    #expect(task.state.field(\.priority).issues == [noPriority])
  }

  @Test func bothAreTwoIssuesInStableOrderAndOneEmission() {
    let task = TaskForm()
    let states = task.form.states.recorded(in: bag)
    _ = states.takeElements()
    task.form.submit()
    #expect(states.takeElements().map(\.visibleIssues) == [[blankTitle, noPriority]])
    // Whichever is made wrong first, the title's issue stays the first one.
    task.fillIn()
    task.form.set(\.priority, to: nil)
    task.form.set(\.title, to: "")
    #expect(task.state.issues == [blankTitle, noPriority])
  }

  @Test func fixingOneFieldClearsOnlyThatIssue() {
    let task = TaskForm()
    task.form.submit()
    task.form.set(\.title, to: "Buy milk")
    #expect(task.state.visibleIssues == [noPriority])
    task.form.set(\.title, to: "")
    task.form.set(\.priority, to: 1)
    #expect(task.state.visibleIssues == [blankTitle])
  }

  @Test func submittingWhileInvalidTouchesAllFieldsEmitsAndNeverAsksTheRepository() {
    let task = TaskForm()
    let states = task.form.states.recorded(in: bag)
    #expect(!task.state.canSubmit)
    task.form.submit()
    #expect(states.elements.count == 2)
    #expect(task.state.submitCount == 1)
    #expect(task.state.field(\.title).isTouched && task.state.field(\.note).isTouched)
    #expect(!task.state.isSubmitting)
    #expect(task.asked.elements.isEmpty)
  }

  @Test func theRepositoryGetsWhatTheRuleMadeAndNotWhatWasTyped() {
    let task = TaskForm()
    let results = task.form.results.recorded(in: bag)
    task.fillIn()
    #expect(task.state.canSubmit)
    task.form.submit()
    #expect(task.asked.elements == [AcceptedTask(title: "Buy milk", priority: 1)])
    task.answers.onNext(AcceptedTask(title: "Buy milk", priority: 1))
    task.answers.onCompleted()
    #expect(results.elements == [AcceptedTask(title: "Buy milk", priority: 1)])
  }

  @Test func aRepositoryErrorSurfacesOnErrorsAndTheFormLivesOn() {
    let task = TaskForm { _ in .error(Refusal.full) }
    let errors = task.form.errors.recorded(in: bag)
    let states = task.form.states.recorded(in: bag)
    task.fillIn()
    task.form.submit()
    #expect(errors.elements == [PresentableError(Refusal.full)])
    #expect(task.state.issues.isEmpty && !task.state.isSubmitting)
    task.form.set(\.title, to: "Buy bread")
    task.form.submit()
    #expect(task.asked.elements.map(\.title) == ["Buy milk", "Buy bread"])
    #expect(!states.hasEnded && !errors.hasEnded)
  }
}

@Suite("Form", .accounted)
struct FormTests {
  private let bag = DisposeBag()

  @Test func aFieldKnowsItsValueItsInitialOneAndWhetherTheyDiffer() {
    let task = TaskForm(TaskEntry(title: "Old"))
    task.form.set(\.title, to: "New")
    let title = task.state.field(\.title)
    #expect(title.value == "New" && title.initial == "Old" && title.isDirty)
    #expect(title.path == "title" && !title.isTouched)
    #expect(task.state.isDirty && !task.state.field(\.note).isDirty)
    task.form.set(\.title, to: "Old")
    #expect(!task.state.isDirty)
  }

  @Test func settingAValueThatIsThereAlreadyTellsNothing() {
    let task = TaskForm(TaskEntry(title: "Same"))
    let states = task.form.states.recorded(in: bag)
    task.form.set(\.title, to: "Same")
    #expect(states.elements.count == 1)
  }

  @Test func aChangeOfSeveralFieldsIsOneEmission() {
    let task = TaskForm()
    let states = task.form.states.recorded(in: bag)
    task.fillIn()
    #expect(states.elements.count == 2)
  }

  @Test func resettingForgetsWhatWasEnteredTouchedAndSubmitted() {
    let task = TaskForm()
    let fresh = task.state
    task.form.submit()
    task.form.set(\.note, to: "x")
    task.form.reset()
    #expect(task.state == fresh)
    task.form.reset(to: TaskEntry(title: "Other"))
    #expect(task.state.field(\.title).initial == "Other")
    #expect(!task.state.isDirty && task.state.submitCount == 0)
  }

  @Test func severalSubmitsWhileOneIsAnsweredAreOne() {
    let task = TaskForm()
    task.fillIn()
    for _ in 0..<3 { task.form.submit() }
    #expect(task.asked.elements.count == 1)
    #expect(task.state.isSubmitting && task.state.submitCount == 1 && !task.state.canSubmit)
    task.answers.onCompleted()
    #expect(!task.state.isSubmitting)
  }

  @Test func submittingFromWithinAnAnswerIsTheSameSubmitStill() {
    let task = TaskForm { .just($0) }
    task.form.results.subscribe(onNext: { [form = task.form] _ in form.submit() })
      .disposed(by: bag)
    task.fillIn()
    task.form.submit()
    #expect(task.asked.elements.count == 1)
    task.form.submit()
    #expect(task.asked.elements.count == 2)
  }

  @Test func aResetWhileAnAnswerIsToComeKeepsASecondSubmitOut() {
    let task = TaskForm()
    task.fillIn()
    task.form.submit()
    task.form.reset(to: TaskEntry(title: "Next", priority: 2))
    task.form.submit()
    #expect(task.asked.elements.count == 1)
    task.answers.onCompleted()
    #expect(task.state.canSubmit)
  }

  @Test func anIssueTheWriteFailedWithIsAttachedToItsField() {
    let taken = ValidationIssue(.notUnique, at: "title")
    let task = TaskForm { _ in .error(taken) }
    let errors = task.form.errors.recorded(in: bag)
    task.fillIn()
    task.form.submit()
    #expect(task.state.field(\.title).visibleIssues == [taken])
    #expect(errors.elements.isEmpty)
  }

  // An issue of a write was attached to whatever was in the field when the answer came: a title
  // that nobody had asked about was marked as taken.
  @Test func anIssueTheWriteFailedWithIsNotAttachedToAnotherValue() {
    let taken = ValidationIssue(.notUnique, at: "title")
    let task = TaskForm()
    let errors = task.form.errors.recorded(in: bag)
    task.fillIn()
    task.form.submit()
    task.form.set(\.title, to: "Buy bread")
    task.answers.onError(taken)
    #expect(task.state.visibleIssues == [] && task.state.canSubmit)
    #expect(errors.elements.isEmpty)
  }

  @Test func anIssueTheWriteFailedWithIsAttachedAlsoWhenAnotherFieldChanged() {
    let taken = ValidationIssue(.notUnique, at: "title")
    let task = TaskForm()
    task.fillIn()
    task.form.submit()
    task.form.set(\.note, to: "x")
    task.form.set(\.title, to: "Buy bread")
    task.form.set(\.title, to: " Buy milk ")
    task.answers.onError(taken)
    #expect(task.state.field(\.title).visibleIssues == [taken])
  }

  @Test(arguments: [false, true])
  func anIssueAboutTheFormIsAttachedIfAllOfItIsAsItWasSent(isChanged: Bool) {
    let full = ValidationIssue("todo.listFull")
    let task = TaskForm()
    task.fillIn()
    task.form.submit()
    if isChanged { task.form.set(\.note, to: "x") }
    task.answers.onError(full)
    #expect(task.state.visibleIssues == (isChanged ? [] : [full]))
  }

  // The fresh form showed what was wrong with the one before. Nor may the failure be lost: the
  // person believes that it was stored.
  @Test func anIssueThatComesAfterAResetGoesToTheErrorsAndNotToTheFreshForm() {
    let taken = ValidationIssue(.notUnique, at: "title")
    let task = TaskForm(TaskEntry(title: "Buy milk", priority: 1))
    let errors = task.form.errors.recorded(in: bag)
    task.form.submit()
    task.form.reset()
    task.answers.onError(taken)
    #expect(task.state.visibleIssues == [] && !task.state.isSubmitting)
    #expect(errors.elements == [PresentableError(taken)])
    // The next submit is handled as the first one was.
    task.form.submit()
    #expect(task.asked.elements.count == 2)
  }

  @Test func whatWasHandledIsToldAlsoAfterAReset() {
    let task = TaskForm()
    let results = task.form.results.recorded(in: bag)
    task.fillIn()
    task.form.submit()
    task.form.reset()
    task.answers.onNext(AcceptedTask(title: "Buy milk", priority: 1))
    task.answers.onCompleted()
    #expect(results.elements.count == 1)
  }

  @Test func attachedIssuesAreShownAtOnceAndGoWithTheNextEdit() {
    let task = TaskForm()
    let taken = ValidationIssue(.notUnique, at: "title")
    let full = ValidationIssue("todo.listFull")
    task.fillIn()
    task.form.attach([taken, full])
    #expect(task.state.visibleIssues == [taken, full])
    #expect(task.state.canSubmit, "what was attached does not keep one from trying again")
    task.form.set(\.note, to: "x")
    #expect(task.state.visibleIssues == [taken], "another field's edit clears the form's alone")
    task.form.set(\.title, to: "Buy bread")
    #expect(task.state.visibleIssues == [])
  }

  @Test func submittingAgainClearsWhatWasAttached() {
    let task = TaskForm()
    task.fillIn()
    task.form.attach([ValidationIssue(.notUnique, at: "title")])
    task.form.submit()
    #expect(task.state.issues.isEmpty && task.asked.elements.count == 1)
  }

  @Test func anIssueBelowAFieldsPathIsTheFields() {
    let task = TaskForm(TaskEntry(title: "a", priority: 1))
    let deep = ValidationIssue(.tooLong, at: ["note", 3, "text"])
    task.form.attach([deep])
    #expect(task.state.field(\.note).issues == [deep])
  }

  @Test func aWarningDoesNotKeepAFormFromBeingSent() {
    let warning = CrossFieldRule<TaskEntry>(\.note) { entry in
      entry.note.isEmpty ? [ValidationIssue(.blank, at: "note", severity: .warning)] : []
    }
    let task = TaskForm(crossFieldRules: [warning])
    task.fillIn()
    #expect(task.state.issues.count == 1 && task.state.canSubmit)
    task.form.submit()
    #expect(task.asked.elements.count == 1)
  }

  @Test func aFormThatGoesAwayStopsWhatItHandles() {
    let source = PublishSubject<AcceptedTask>()
    var task: TaskForm? = TaskForm { _ in source }
    task?.fillIn()
    task?.form.submit()
    #expect(source.hasObservers)
    task = nil
    #expect(!source.hasObservers)
  }

  @Test func aFieldThatIsNotDeclaredIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let form = Form(
        Pair(), fields: [FormField(\Pair.a, at: "a")], rule: .transform { $0 }
      ) { Observable<Pair>.just($0) }
      form.blur(\.b)
    }
  }

  @Test func aFieldThatIsDeclaredTwiceIsRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = Form(
        Pair(), fields: [FormField(\Pair.a, at: "a"), FormField(\Pair.b, at: "a")],
        rule: .transform { $0 }
      ) { Observable<Pair>.just($0) }
    }
  }
}
