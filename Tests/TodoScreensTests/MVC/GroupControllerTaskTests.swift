import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("GroupController, tasks")
struct GroupControllerTaskTests {
  /// A screen that shows a group with items of these titles.
  private func open(
    _ kind: RepositoryKind, _ titles: String...
  ) throws -> (GroupScreen, group: UUID, items: [UUID]) {
    let screen = try GroupScreen(kind)
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일")).id
    screen.bus.emit(GroupEvents.PushToDetailTaskScreen(group))
    let items = try titles.map {
      try screen.ask(GroupEvents.CreateNewTask.self, .init(" \($0) ", in: group)).id
    }
    return (screen, group, items)
  }

  @Test(arguments: RepositoryKind.allCases)
  func tasksAreMadeRenamedCompletedAndMoved(kind: RepositoryKind) throws {
    let (screen, group, ids) = try open(kind, "청소", "빨래", "설거지")
    screen.waitForPicture { $0.titles == ["청소", "빨래", "설거지"] }
    #expect(
      try screen.ask(GroupEvents.EditTaskName.self, .init(ids[1], to: " 다림질 ")).title == "다림질")
    try screen.ask(GroupEvents.MoveTask.self, .init([ids[2]], to: .before(id: ids[0])))
    screen.waitForPicture { $0.titles == ["설거지", "청소", "다림질"] }
    #expect(try screen.ask(GroupEvents.CompleteTask.self, .init([ids[2]])).first?.isDone == true)
    #expect(try screen.ask(GroupEvents.CompleteTask.self, .init([ids[2]])).first?.isDone == true)
    screen.waitForPicture {
      $0.titles == ["청소", "다림질", "설거지"] && $0.items.value?.completed.count == 1
        && $0.groups.value?.first?.tally == Tally(total: 3, done: 1)
    }
    try screen.ask(GroupEvents.CompleteTask.self, .init([ids[2]], isDone: false))
    screen.waitForPicture { $0.groups.value?.first?.tally == Tally(total: 3, done: 0) }
    #expect(try screen.repository.item(ids[0])?.groupID == group)
  }

  @Test func aTitleWithoutAnythingToReadIsRefused() throws {
    let (screen, group, ids) = try open(.plain, "청소")
    let issue = PresentableError(ValidationIssue(.blank, at: .title))
    #expect(
      try screen.refusal(of: GroupEvents.CreateNewTask.self, .init(" ", in: group)) == issue)
    #expect(screen.view.picture.error == issue)
    #expect(try screen.refusal(of: GroupEvents.EditTaskName.self, .init(ids[0], to: "")) == issue)
    #expect(screen.view.picture.titles == ["청소"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aDeletionAsksFirstAndTheSwipedOneGoesAfterAnyReorder(kind: RepositoryKind) throws {
    let (screen, _, ids) = try open(kind, "청소", "빨래", "설거지")
    let question = try screen.ask(GroupEvents.DeleteTask.self, [ids[1]])
    screen.waitForPicture { $0.question == question && $0.titles?.count == 3 }
    #expect(question.titles == ["빨래"])
    try screen.repository.perform(.move([ids[1]], to: .first))
    let deletion = try screen.ask(GroupEvents.ConfirmDeletion.self, question.token)
    #expect(deletion.report.items.map(\.id) == [ids[1]])
    screen.waitForPicture { $0.question == nil && $0.titles == ["청소", "설거지"] }
  }

  @Test func theQuestionGoesWithItsAnswerAndDoesNotFlashAgain() throws {
    let (screen, _, ids) = try open(.plain, "청소", "빨래")
    let question = try screen.ask(GroupEvents.DeleteTask.self, [ids[0]])
    let shown = Recorder(screen.view.pictures.map { $0.question != nil }.distinctUntilChanged())
    try screen.ask(GroupEvents.ConfirmDeletion.self, question.token)
    #expect(shown.elements == [true, false])
    // An answer is good once, and the error of the second one brings no question back.
    #expect(
      try screen.refusal(of: GroupEvents.ConfirmDeletion.self, question.token)?.code
        == .noPendingDeletion)
    #expect(shown.elements == [true, false] && screen.view.picture.titles == ["빨래"])
  }

  @Test func aNoDeletesNothing() throws {
    let (screen, group, ids) = try open(.plain, "청소")
    for question in [
      try screen.ask(GroupEvents.DeleteTask.self, ids),
      try screen.ask(GroupEvents.DeleteTaskGroup.self, group),
    ] {
      try screen.ask(GroupEvents.CancelDeletion.self, question.token)
      #expect(screen.view.picture.question?.token != question.token)
      #expect(
        try screen.refusal(of: GroupEvents.ConfirmDeletion.self, question.token)?.code
          == .noPendingDeletion)
    }
    #expect(screen.view.picture.question == nil && screen.view.picture.titles == ["청소"])
  }

  @Test func oneQuestionIsAskedAtATime() throws {
    let (screen, group, ids) = try open(.plain, "청소")
    let first = try screen.ask(GroupEvents.DeleteTask.self, ids)
    let second = try screen.ask(GroupEvents.DeleteTaskGroup.self, group)
    #expect(screen.view.picture.question == second)
    #expect(
      try screen.refusal(of: GroupEvents.ConfirmDeletion.self, first.token)?.code
        == .noPendingDeletion)
    #expect(screen.view.picture.question == second)
    try screen.ask(GroupEvents.ConfirmDeletion.self, second.token)
    #expect(screen.view.picture.names == [] && screen.router.stack == [.home])
  }

  @Test func theCompletionOfADeletionGetsTheRemovedIndexOrNil() throws {
    let (screen, group, ids) = try open(.plain, "청소", "빨래")
    try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "회사"))
    try screen.ask(GroupEvents.MoveTaskGroup.self, .init(group, to: .last))
    func index(_ question: PendingDeletion) throws -> Int? {
      try screen.ask(GroupEvents.ConfirmDeletion.self, question.token).index
    }
    #expect(try index(screen.ask(GroupEvents.DeleteTask.self, [ids[1]])) == 1)
    // An item that no open screen shows has no index.
    let elsewhere = try screen.repository.perform(.add(TodoItem(title: "산책"))).items[0]
    #expect(try index(screen.ask(GroupEvents.DeleteTask.self, [elsewhere.id])) == nil)
    let question = try screen.ask(GroupEvents.DeleteTaskGroup.self, group)
    #expect(question.titles == ["집안일"] && question.items == [ids[0]])
    #expect(try index(question) == 1)
  }

  @Test func aGroupThatHoldsOtherItemsThanWereShownStays() throws {
    let (screen, group, _) = try open(.plain, "청소")
    let question = try screen.ask(GroupEvents.DeleteTaskGroup.self, group)
    try screen.ask(GroupEvents.CreateNewTask.self, .init("빨래", in: group))
    #expect(
      try screen.refusal(of: GroupEvents.ConfirmDeletion.self, question.token)
        == PresentableError(TodoError.changedSince(group)))
    #expect(screen.view.picture.question == nil && screen.view.picture.titles == ["청소", "빨래"])
  }

  @Test func aViewMayAnswerWhileItDrawsTheQuestion() throws {
    let (screen, _, ids) = try open(.plain, "청소", "빨래")
    let bus = screen.bus
    let bag = DisposeBag()
    screen.view.pictures.compactMap(\.question).subscribe(onNext: { question in
      // One that is answered twice: the error of the second answer stays.
      for _ in 1...2 { bus.emit(GroupEvents.ConfirmDeletion(question.token)) }
    }).disposed(by: bag)
    let question = try screen.ask(GroupEvents.DeleteTask.self, [ids[0]])
    #expect(question.items == [ids[0]])
    #expect(screen.view.picture.titles == ["빨래"] && screen.view.picture.question == nil)
    #expect(screen.view.picture.error?.code == .noPendingDeletion)
  }
}
