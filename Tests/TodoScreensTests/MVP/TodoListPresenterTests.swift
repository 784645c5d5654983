import Foundation
import Presentation
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("TodoListPresenter")
struct TodoListPresenterTests {
  private let group = TodoGroup.numbered(1, name: "home")

  /// A window on a list of a group's three items, the last of which is done.
  private func open(
    _ kind: RepositoryKind, _ list: ItemList? = nil
  ) throws -> (window: Window, view: RecordingListView, folder: TemporaryFolder?) {
    let (repository, folder) = try kind.make()
    let items = (1...3).map { TodoItem.numbered($0, isDone: $0 == 3, group: group.id) }
    try repository.perform(.add(groups: [group], items: items))
    let window = Window(repository)
    return (window, try open(list ?? .group(id: group.id), in: window), folder)
  }

  private func open(_ list: ItemList, in window: Window) throws -> RecordingListView {
    try #require(window.view(RecordingHomeView.self)).presenter.listTapped(list)
    let view = try #require(window.view(RecordingListView.self))
    window.thread.run { view.log.count >= 2 && (list.groupID == nil || view.name != nil) }
    return view
  }

  @Test(arguments: RepositoryKind.allCases)
  func theOpenItemsStandFirstAndTheCompletedOnesBelow(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    #expect(view.log == ["reload 3", "count 3"] && view.name == "home")
    #expect(view.sections == ["open 2", "completed 1"])
    #expect(view.titles == ["item 1", "item 2", "item 3"])
    view.presenter.doneTapped(view.items[0])
    window.thread.run { view.titles == ["item 2", "item 1", "item 3"] }
    view.presenter.doneTapped(view.items[0])
    window.thread.run { view.sections == ["completed 3"] }
    view.presenter.starTapped(view.items[0])
    window.thread.run { view.items[0].isImportant }
    view.presenter.moved(.numbered(3), to: .first)
    window.thread.run { view.titles.first == "item 3" }
    #expect(view.alert == nil)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aTapSetsWhatWasNotShownHoweverOftenItComes(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    let shown = view.items[0]
    view.presenter.doneTapped(shown)
    view.presenter.doneTapped(shown)
    window.thread.run { view.sections == ["open 1", "completed 2"] }
    #expect(try window.repository.item(shown.id)?.isDone == true)
  }

  @Test(arguments: RepositoryKind.allCases)
  func importantHidesAddAndRenameAndOpensNeither(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind, .important)
    defer { withExtendedLifetime(folder) {} }
    let capabilities = try #require(view.capabilities)
    #expect(!capabilities.canAdd && !capabilities.canRename && view.name == nil)
    view.presenter.rightBarButtonTapped()
    view.presenter.nameTapped()
    #expect(window.router.stack == [.home, .list(.important)])
    try window.repository.perform(.setImportant([.numbered(2)], true))
    window.thread.run { view.titles == ["item 2"] }
    view.presenter.starTapped(view.items[0])
    window.thread.run { view.titles == [] && view.log.last == "count 0" }
  }

  @Test(arguments: RepositoryKind.allCases)
  func deletionHitsWhatWasTappedAfterAnyReorder(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.deleteTapped(view.items[0].id)
    let question = try #require(view.question)
    #expect(question.titles == ["item 1"])
    try window.repository.perform(.move([.numbered(1)], to: .last))
    window.thread.run { view.titles.first == "item 2" }
    view.presenter.answer(question.token, isYes: true)
    #expect(view.question == nil)
    window.thread.run { view.titles == ["item 2", "item 3"] }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aListThatChangedWhileItsScreenWasClosedShowsNothingStale(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.leftBarButtonTapped()
    #expect(window.router.stack == [.home])
    try window.repository.perform(.delete([.numbered(1), .numbered(3)]))
    try window.repository.perform(.retitle(.numbered(2), to: "new"))
    try window.repository.perform(.editGroup(group.id, GroupPatch(name: "house")))
    let again = try open(.group(id: group.id), in: window)
    #expect(again !== view)
    #expect(again.log == ["reload 1", "count 1"])
    #expect(again.titles == ["new"] && again.name == "house")
  }

  @Test(arguments: RepositoryKind.allCases)
  func aListThatWasDeletedWhileItsScreenWasClosedOpensAsAnAlert(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.leftBarButtonTapped()
    try window.repository.perform(.deleteGroup(group.id))
    let home = try #require(window.view(RecordingHomeView.self))
    // The tap was on its way when the row went.
    home.presenter.listTapped(.group(id: group.id))
    let again = try #require(window.view(RecordingListView.self))
    window.thread.run { again.alert != nil && !again.log.isEmpty }
    #expect(again.alert?.code == .groupNotFound && again.titles == [] && again.name == nil)
    again.presenter.alertDismissed()
    #expect(window.router.stack == [.home])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aListThatGoesClosesItsScreenUnlessItComesBack(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    try window.repository.perform(.deleteGroup(group.id))
    window.thread.run { view.alert != nil && view.titles == [] }
    try window.repository.perform(.undo)
    window.thread.run { view.alert == nil && view.titles.count == 3 }
    view.presenter.alertDismissed()
    #expect(window.router.stack.count == 2)
    try window.repository.perform(.redo)
    window.thread.run { view.alert?.code == .groupNotFound }
    view.presenter.alertDismissed()
    #expect(window.router.stack == [.home])
  }

  @Test func aListThatCannotBeReadIsAnAlert() throws {
    let repository = RecordingRepository()
    repository.fail([.observedRead])
    let window = Window(repository)
    try #require(window.view(RecordingHomeView.self)).presenter.listTapped(.all)
    let view = try #require(window.view(RecordingListView.self))
    window.thread.run { view.alert != nil }
    #expect((view.alert?.cause as? RecordingRepository.Broken)?.call == .observedRead)
  }
}
