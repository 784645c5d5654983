import Foundation
import Presentation
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("HomePresenter")
struct HomePresenterTests {
  /// A window on a repository of two groups, the first of which holds two items.
  private func open(
    _ kind: RepositoryKind
  ) throws -> (window: Window, view: RecordingHomeView, folder: TemporaryFolder?) {
    let (repository, folder) = try kind.make()
    let groups: [TodoGroup] = [.numbered(1, name: "home"), .numbered(2, name: "work")]
    let items: [TodoItem] = [
      .numbered(1, isDone: true, group: groups[0].id),
      .numbered(2, isImportant: true, group: groups[0].id),
    ]
    try repository.perform(.add(groups: groups, items: items))
    let window = Window(repository)
    let view = try #require(window.view(RecordingHomeView.self))
    window.thread.run { view.lines.count == 2 && view.important != nil }
    return (window, view, folder)
  }

  private let first = TodoGroup.numbered(1).id
  private let second = TodoGroup.numbered(2).id

  @Test(arguments: RepositoryKind.allCases)
  func theHomeScreenShowsTheGroupsInOrderWithTheirTallies(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    #expect(view.log == ["set up", "reload 2", "count 2"])
    #expect(view.lines == ["home 1/2", "work 0/0"])
    #expect(view.important == Tally(total: 1))
    view.presenter.moved(second, to: .first)
    window.thread.run { view.lines == ["work 0/0", "home 1/2"] }
    try window.repository.perform(.setImportant([.numbered(1)], true))
    window.thread.run { view.important == Tally(total: 2, done: 1) }
  }

  @Test(arguments: RepositoryKind.allCases)
  func eachCommitIsOneBatchAndTheCountComesAfterIt(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.forget()
    try window.repository.perform(.addGroup(name: "club"))
    window.thread.run { view.log.last == "count 3" }
    try window.repository.perform(.moveGroup(second, to: .first))
    window.thread.run { view.lines.first == "work 0/0" }
    try window.repository.perform(.editGroup(first, GroupPatch(name: "house")))
    window.thread.run { view.lines.contains("house 1/2") }
    try window.repository.perform(.deleteGroup(first))
    window.thread.run { view.log.last == "count 2" }
    #expect(
      view.log == [
        "will change 2", "insert 0.2", "did change 3", "count 3",
        "will change 3", "move 0.1 to 0.0", "did change 3",
        "will change 3", "update 0.1", "did change 3",
        "will change 3", "delete 0.1", "did change 2", "count 2",
      ])
  }

  @Test(arguments: RepositoryKind.allCases)
  func theQuestionNamesTheListAndCountsWhatGoesWithIt(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.deleteTapped(first)
    let question = try #require(view.question)
    #expect(question.titles == ["home"] && question.items.count == 2)
    view.presenter.answer(question.token, isYes: true)
    #expect(view.question == nil && view.alert == nil)
    window.thread.run { view.lines == ["work 0/0"] && view.important == Tally() }
    #expect(try window.repository.items(.all) == [])
    // A second tap on a button that is going away answers nothing.
    view.presenter.answer(question.token, isYes: true)
    #expect(view.alert == nil)
  }

  @Test(arguments: RepositoryKind.allCases)
  func noDeletesNothing(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.deleteTapped(first)
    let question = try #require(view.question)
    view.presenter.answer(question.token, isYes: false)
    #expect(view.question == nil)
    view.presenter.answer(question.token, isYes: true)
    #expect(try window.repository.groups().count == 2)
  }

  @Test(arguments: RepositoryKind.allCases)
  func oneQuestionStandsAtATimeAndItsAnswerIsAboutThatOne(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.deleteTapped(first)
    let given = try #require(view.question)
    view.presenter.deleteTapped(second)
    let asked = try #require(view.question)
    view.presenter.answer(given.token, isYes: true)
    #expect(view.question == asked)
    view.presenter.answer(asked.token, isYes: true)
    #expect(try window.repository.groups().map(\.id) == [first])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aListThatChangedUnderTheQuestionStaysAndTheAlertSaysSo(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.deleteTapped(first)
    try window.repository.perform(.add(.numbered(3, group: first)))
    view.presenter.answer(try #require(view.question).token, isYes: true)
    #expect(view.alert?.code == .changedSince && view.question == nil)
    #expect(try window.repository.items(.all).count == 3)
    view.presenter.alertDismissed()
    #expect(view.alert == nil)
  }

  @Test(arguments: RepositoryKind.allCases)
  func anErrorIsAnAlertUntilItIsDismissedOrSomethingSucceeds(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime((window, folder)) {} }
    view.presenter.deleteTapped(.numbered(9))
    #expect(view.question == nil)
    guard case .groupNotFound(.numbered(9)) = view.alert?.cause as? TodoError else {
      Issue.record("unexpected alert: \(String(describing: view.alert))")
      return
    }
    view.presenter.alertDismissed()
    #expect(view.alert == nil)
    view.presenter.moved(.numbered(9), to: .first)
    #expect(view.alert?.code == .groupNotFound)
    view.presenter.moved(first, to: .last)
    #expect(view.alert == nil)
  }
}
