import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("TodoCoordinator")
struct TodoCoordinatorTests {
  private let group = TodoGroup.numbered(1, name: "home")

  private func open() throws -> (window: Window, home: RecordingHomeView) {
    let repository = PlainTodoRepository()
    try repository.perform(.add(groups: [group], items: [.numbered(1, group: group.id)]))
    let window = Window(repository)
    return (window, try #require(window.view(RecordingHomeView.self)))
  }

  @Test func whereTheUserIsIsAListOfValues() throws {
    let (window, home) = try open()
    let stacks = Recorder(window.router.stacks)
    home.presenter.listTapped(.group(id: group.id))
    let list = try #require(window.view(RecordingListView.self))
    list.presenter.titleTapped(.numbered(1))
    let stack: [TodoRoute] = [
      .home, .list(.group(id: group.id)), .editTask(.retitle(id: .numbered(1))),
    ]
    #expect(window.router.stack == stack)
    let data = try JSONEncoder().encode(stack)
    #expect(try JSONDecoder().decode([TodoRoute].self, from: data) == stack)
    let form = try #require(window.view(RecordingFormView<EditTaskPresenter>.self))
    form.presenter.leftBarButtonTapped()
    list.presenter.leftBarButtonTapped()
    #expect(stacks.elements.map(\.count) == [1, 2, 3, 2, 1])
  }

  @Test func theScreensOpenedSinceCloseWithTheirCoordinator() throws {
    let (window, home) = try open()
    home.presenter.listTapped(.group(id: group.id))
    let list = try #require(window.view(RecordingListView.self))
    list.presenter.nameTapped()
    #expect(window.coordinators.count == 3 && window.router.stack.count == 3)
    list.presenter.leftBarButtonTapped()
    #expect(window.coordinators.count == 1 && window.router.stack == [.home])
    #expect(window.view(RecordingFormView<RenameListPresenter>.self) == nil)
  }

  @Test func aSecondTapOpensNoSecondScreen() throws {
    let (window, home) = try open()
    home.presenter.listTapped(.important)
    home.presenter.listTapped(.important)
    home.presenter.rightBarButtonTapped()
    #expect(window.router.stack == [.home, .list(.important)])
    try #require(window.view(RecordingListView.self)).presenter.leftBarButtonTapped()
    home.presenter.rightBarButtonTapped()
    #expect(window.router.stack == [.home, .addList])
  }

  @Test func aScreenThatWasClosedAtTheRouterIsNotInTheWay() throws {
    let (window, home) = try open()
    home.presenter.listTapped(.important)
    let witness = WeakRef(window.coordinators.last)
    // As a swipe or the button of a browser does.
    window.router.pop()
    home.presenter.listTapped(.all)
    #expect(window.router.stack == [.home, .list(.all)])
    #expect(window.coordinators.count == 2 && witness.value == nil)
  }

  @Test func finishedCoordinatorsTheirPresentersAndViewsAreFreed() throws {
    let (window, home) = try open()
    var witnesses: [WeakRef<AnyObject>] = []
    do {
      home.presenter.listTapped(.group(id: group.id))
      let list = try #require(window.view(RecordingListView.self))
      window.thread.run { list.titles.count == 1 }
      list.presenter.deleteTapped(.numbered(1))
      list.presenter.titleTapped(.numbered(1))
      let form = try #require(window.view(RecordingFormView<EditTaskPresenter>.self))
      form.presenter.rightBarButtonTapped(" ")
      var open: [AnyObject] = [list, list.presenter, form, form.presenter]
      open += window.coordinators.dropFirst().map { $0 as AnyObject }
      witnesses = open.map { WeakRef($0) }
      #expect(witnesses.count == 6 && witnesses.allSatisfy { $0.value != nil })
      list.presenter.leftBarButtonTapped()
      open = []
    }
    #expect(witnesses.allSatisfy { $0.value == nil })
    #expect(window.coordinators.count == 1)
  }

  @Test func theFirstCoordinatorTakesEverythingAlong() throws {
    let (window, home) = try open()
    home.presenter.listTapped(.group(id: group.id))
    let list = try #require(window.view(RecordingListView.self))
    list.presenter.nameTapped()
    let witnesses = window.coordinators.map { WeakRef($0) }
    window.close()
    #expect(witnesses.count == 3 && witnesses.allSatisfy { $0.value == nil })
    // A view that outlives its flow leads nowhere.
    list.presenter.nameTapped()
    list.presenter.leftBarButtonTapped()
    #expect(list.presenter.list == .group(id: group.id))
  }

  /// A server has screens for each request, and the answer to a question comes with another one.
  @Test func aQuestionOutlivesScreensThatShareTheirQuestions() throws {
    let repository = PlainTodoRepository()
    try repository.perform(.add(groups: [group], items: []))
    let deletions = PendingDeletions(repository: repository)
    let window = Window(repository, deletions)
    let view = try #require(window.view(RecordingHomeView.self))
    view.presenter.deleteTapped(group.id)
    let question = try #require(view.question)
    window.close()
    let result: CommandResult = try deletions.confirm(question.token)
    #expect(result.groups.map(\.id) == [group.id])
    #expect(try repository.groups().isEmpty)
  }

  @Test func thePresentersDoNotKeepTheRepository() throws {
    var repository: PlainTodoRepository? = PlainTodoRepository()
    let witness = WeakRef(repository)
    do {
      let window = Window(try #require(repository))
      repository = nil
      try #require(window.view(RecordingHomeView.self)).presenter.listTapped(.all)
      let list = try #require(window.view(RecordingListView.self))
      window.thread.run { !list.log.isEmpty }
      window.close()
    }
    #expect(witness.value == nil)
  }

  @Test func anyScreenCanBeTheFirst() throws {
    let (window, _) = try open()
    let router = Router<TodoRoute>()
    let flow = TodoCoordinator(
      repository: window.repository, router: router, scheduler: window.thread, screens: window)
    flow.start(with: .list(.group(id: group.id)))
    #expect(router.stack == [.list(.group(id: group.id))])
    #expect(window.view(RecordingListView.self) != nil)
  }
}
