import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoTestSupport

private let valid = TaskDraft(title: "우유 사기", priority: .high)
private let blank = TaskDraft(title: " \u{3000}", priority: .high)
private let unranked = TaskDraft(title: "우유 사기")

/// A view model with every output recorded, and a subject to send attempts through.
private struct Screen {
  let repository: RecordingRepository
  let attempts = PublishSubject<TaskDraft>()
  let output: AddTaskViewModel.Output

  init(over base: (any TodoRepository)? = nil) {
    repository = RecordingRepository(over: base)
    output = AddTaskViewModel(repository: repository)
      .transform(input: .init(attempts: attempts))
  }
}

@Suite("AddTaskViewModel, answering")
struct AddTaskViewModelTests {
  @Test func failFailSucceedOnOneSubscription() {
    let screen = Screen()
    let tasks = Recorder(screen.output.tasks)
    let issues = Recorder(screen.output.validationError)
    let errors = Recorder(screen.output.storageError)
    screen.attempts.onNext(blank)
    screen.attempts.onNext(unranked)
    #expect(tasks.elements.isEmpty)
    screen.attempts.onNext(valid)
    #expect(
      issues.elements == [
        ValidationIssue(.blank, at: "title"), ValidationIssue(.required, at: "priority"),
      ])
    #expect(tasks.elements.map { $0.map(\.title) } == [["우유 사기"]])
    #expect(errors.elements.isEmpty)
    #expect(!tasks.hasEnded && !issues.hasEnded && !errors.hasEnded)
  }

  @Test func anAttemptWithBothFaultsIsToldOfTheTitleOnly() {
    let screen = Screen()
    let issues = Recorder(screen.output.validationError)
    screen.attempts.onNext(TaskDraft(title: "", priority: nil))
    #expect(issues.elements == [ValidationIssue(.blank, at: .title)])
  }

  @Test func nilAndNoneBothCountAsAMissingPriority() {
    let screen = Screen()
    let issues = Recorder(screen.output.validationError)
    screen.attempts.onNext(TaskDraft(title: "milk", priority: nil))
    screen.attempts.onNext(TaskDraft(title: "milk", priority: Priority.none))
    #expect(
      issues.elements == Array(repeating: ValidationIssue(.required, at: .priority), count: 2))
  }

  @Test func theRepositoryIsNotCalledWhileInputIsInvalid() {
    let screen = Screen()
    let recorders = (
      Recorder(screen.output.tasks), Recorder(screen.output.added),
      Recorder(screen.output.validationError), Recorder(screen.output.storageError)
    )
    for draft in [blank, unranked, TaskDraft(title: ""), TaskDraft(title: "\n\t", priority: .low)] {
      screen.attempts.onNext(draft)
    }
    #expect(recorders.2.elements.count == 4)
    #expect(screen.repository.calls.isEmpty)
  }

  @Test func theStoredItemIsTheOneThatIsTold() throws {
    let screen = Screen()
    let added = Recorder(screen.output.added)
    screen.attempts.onNext(TaskDraft(title: "\u{3000}우유 사기\n", priority: .low))
    let item = try #require(added.elements.first)
    #expect(item.title == "우유 사기")
    #expect(item.priority == .low)
    #expect(!item.isDone)
    #expect(try screen.repository.item(item.id) == item)
  }

  @Test func groupDayAndTagsAreStoredWithTheItem() throws {
    let screen = Screen()
    let added = Recorder(screen.output.added)
    let issues = Recorder(screen.output.validationError)
    let group = TodoGroup.numbered(1)
    _ = try screen.repository.perform(.add(groups: [group], items: []))
    let day = try #require(CalendarDay("2026-06-01"))
    var draft = TaskDraft(
      title: "우유 사기", priority: .low, groupID: group.id, due: day, tags: ["집", " "])
    screen.attempts.onNext(draft)
    #expect(issues.elements == [ValidationIssue(.blank, at: ["tags", .index(1)])])
    draft.tags = ["집", " 장보기 ", "집"]
    screen.attempts.onNext(draft)
    let item = try #require(added.elements.first)
    #expect(item.groupID == group.id && item.due == day && item.tags == ["집", "장보기"])
    #expect(try screen.repository.item(item.id) == item)
  }

  @Test func anUnknownGroupIsAStorageError() {
    let screen = Screen()
    let errors = Recorder(screen.output.storageError)
    screen.attempts.onNext(TaskDraft(title: "milk", priority: .low, groupID: .numbered(7)))
    guard case .groupNotFound(.numbered(7)) = errors.elements.first as? TodoError else {
      Issue.record("unexpected errors: \(errors.elements)")
      return
    }
  }

  @Test func aThrowingRepositoryGivesAStorageErrorAndNoTasks() {
    let screen = Screen()
    let tasks = Recorder(screen.output.tasks)
    let added = Recorder(screen.output.added)
    let issues = Recorder(screen.output.validationError)
    let errors = Recorder(screen.output.storageError)
    screen.repository.fail([.add])
    screen.attempts.onNext(valid)
    #expect(errors.failedCalls == [.add])
    #expect(tasks.elements.isEmpty && added.elements.isEmpty && issues.elements.isEmpty)
    screen.repository.fail([])
    screen.attempts.onNext(valid)
    #expect(tasks.elements.map(\.count) == [1])
    #expect(errors.elements.count == 1)
    #expect(!tasks.hasEnded && !added.hasEnded && !errors.hasEnded)
  }

  @Test func aListThatCannotBeReadIsAStorageErrorOfAStoredItem() {
    let screen = Screen()
    let tasks = Recorder(screen.output.tasks)
    let added = Recorder(screen.output.added)
    let errors = Recorder(screen.output.storageError)
    screen.repository.fail([.items])
    screen.attempts.onNext(valid)
    #expect(added.elements.count == 1)
    #expect(tasks.elements.isEmpty)
    #expect(errors.failedCalls == [.items])
    screen.repository.fail([])
    screen.attempts.onNext(valid)
    #expect(tasks.elements.map(\.count) == [2])
    #expect(!tasks.hasEnded && !errors.hasEnded)
  }
}

@Suite("AddTaskViewModel, its outputs")
struct AddTaskViewModelOutputTests {
  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]])
  func theOrderOfSubscribingDoesNotMatter(order: [Int]) {
    let screen = Screen()
    var counts: [Int: () -> Int] = [:]
    for output in order {
      switch output {
      case 0: counts[0] = { [r = Recorder(screen.output.added)] in r.elements.count }
      case 1: counts[1] = { [r = Recorder(screen.output.tasks)] in r.elements.count }
      case 2: counts[2] = { [r = Recorder(screen.output.validationError)] in r.elements.count }
      default: counts[3] = { [r = Recorder(screen.output.storageError)] in r.elements.count }
      }
    }
    screen.attempts.onNext(valid)
    screen.attempts.onNext(blank)
    screen.attempts.onNext(valid)
    #expect((0...3).map { counts[$0]?() } == [2, 2, 1, 0])
    #expect(screen.repository.count(of: .add) == 2)
  }

  @Test func aSourceThatSendsWhileItIsSubscribedIsEvaluatedOnce() {
    let repository = RecordingRepository()
    let output = AddTaskViewModel(repository: repository)
      .transform(input: .init(attempts: .of(valid, blank, valid)))
    let added = Recorder(output.added)
    let issues = Recorder(output.validationError)
    let tasks = Recorder(output.tasks)
    #expect(repository.count(of: .add) == 2)
    #expect(added.elements.count == 2)
    #expect(added.completions == 1 && issues.completions == 1 && tasks.completions == 1)
  }

  @Test func theListIsReadOnlyWhileSomebodyIsSubscribed() {
    let screen = Screen()
    let added = Recorder(screen.output.added)
    screen.attempts.onNext(valid)
    #expect(screen.repository.count(of: .items) == 0)
    let subscription = screen.output.tasks.subscribe(onNext: { _ in })
    screen.attempts.onNext(valid)
    #expect(screen.repository.count(of: .items) == 1)
    subscription.dispose()
    screen.attempts.onNext(valid)
    #expect(screen.repository.count(of: .items) == 1)
    #expect(added.elements.count == 3)
  }

  @Test func severalReadersOfTheListShareOneRead() {
    let screen = Screen()
    let lists = [Recorder(screen.output.tasks), Recorder(screen.output.tasks)]
    screen.attempts.onNext(valid)
    #expect(lists.map { $0.elements.map(\.count) } == [[1], [1]])
    #expect(screen.repository.count(of: .items) == 1)
  }

  @Test func nothingIsStoredWhileNobodyListens() {
    let screen = Screen()
    screen.attempts.onNext(valid)
    #expect(screen.repository.calls.isEmpty)
    screen.output.added.subscribe(onNext: { _ in }).dispose()
    screen.attempts.onNext(valid)
    #expect(screen.repository.calls.isEmpty)
    let added = Recorder(screen.output.added)
    screen.attempts.onNext(valid)
    #expect(added.elements.count == 1)
    #expect(screen.repository.count(of: .add) == 1)
  }

  @Test func anAttemptSentFromInsideAnAnswerIsAnsweredAfterIt() {
    let screen = Screen()
    let bag = DisposeBag()
    screen.output.validationError
      .subscribe(onNext: { [attempts = screen.attempts] _ in attempts.onNext(valid) })
      .disposed(by: bag)
    let issues = Recorder(screen.output.validationError)
    let added = Recorder(screen.output.added)
    screen.attempts.onNext(blank)
    #expect(issues.elements.map(\.code) == [.blank])
    #expect(added.elements.count == 1)
    #expect(screen.repository.count(of: .add) == 1)
  }

  @Test func outputsEndWithTheAttempts() {
    let screen = Screen()
    let tasks = Recorder(screen.output.tasks)
    let added = Recorder(screen.output.added)
    let issues = Recorder(screen.output.validationError)
    let errors = Recorder(screen.output.storageError)
    screen.attempts.onNext(valid)
    screen.attempts.onCompleted()
    #expect(tasks.completions == 1 && added.completions == 1)
    #expect(issues.completions == 1 && errors.completions == 1)
  }

  @Test func everyTransformIsAScreenOfItsOwn() {
    let repository = RecordingRepository()
    let viewModel = AddTaskViewModel(repository: repository)
    let attempts = PublishSubject<TaskDraft>()
    let first = Recorder(viewModel.transform(input: .init(attempts: attempts)).added)
    let other = Recorder(viewModel.transform(input: .init(attempts: .never())).added)
    attempts.onNext(valid)
    #expect(first.elements.count == 1)
    #expect(other.elements.isEmpty)
  }

  @Test func twentyThousandAttemptsCostOneCallEach() throws {
    let screen = Screen(
      over: try CroftTodoRepository.inMemory(limits: HistoryLimits(commands: 0)))
    let added = Recorder(screen.output.added)
    let issues = Recorder(screen.output.validationError)
    let errors = Recorder(screen.output.storageError)
    for _ in 1...20_000 { screen.attempts.onNext(valid) }
    #expect(added.elements.count == 20_000)
    #expect(issues.elements.isEmpty && errors.elements.isEmpty)
    #expect(screen.repository.calls.count == 20_000)
    #expect(screen.repository.count(of: .add) == 20_000)
  }
}
