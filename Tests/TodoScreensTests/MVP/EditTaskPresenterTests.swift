import Foundation
import Presentation
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("EditTaskPresenter")
struct EditTaskPresenterTests {
  private typealias EditView = RecordingFormView<EditTaskPresenter>
  private let group = TodoGroup.numbered(1, name: "home")

  private func open(
    _ kind: RepositoryKind
  ) throws -> (window: Window, list: RecordingListView, folder: TemporaryFolder?) {
    let (repository, folder) = try kind.make()
    try repository.perform(.add(groups: [group], items: [.numbered(1, group: group.id)]))
    let window = Window(repository)
    return (window, try openList(in: window), folder)
  }

  private func openList(in window: Window) throws -> RecordingListView {
    try #require(window.view(RecordingHomeView.self)).presenter.listTapped(.group(id: group.id))
    let list = try #require(window.view(RecordingListView.self))
    window.thread.run { list.titles == ["item 1"] }
    return list
  }

  @Test(arguments: RepositoryKind.allCases)
  func oneScreenCreatesAndRetitles(kind: RepositoryKind) throws {
    let (window, list, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    list.presenter.rightBarButtonTapped()
    let new = try #require(window.view(EditView.self))
    #expect(new.presenter.mode == .create(in: .group(id: group.id)) && new.stored == [])
    new.presenter.rightBarButtonTapped(" 우유 사기 ")
    #expect(new.stored == ["우유 사기"] && new.dismissals == 1)
    window.thread.run { list.titles == ["item 1", "우유 사기"] }
    list.presenter.titleTapped(list.items[1].id)
    let old = try #require(window.view(EditView.self))
    #expect(old.presenter.mode == .retitle(id: list.items[1].id) && old.stored == ["우유 사기"])
    old.presenter.rightBarButtonTapped("두유 사기")
    window.thread.run { list.titles == ["item 1", "두유 사기"] }
    #expect(window.router.stack == [.home, .list(.group(id: group.id))])
    #expect(list.items.allSatisfy { $0.groupID == group.id })
  }

  @Test(arguments: RepositoryKind.allCases)
  func aViewThatTakesThePlaceOfAnotherShowsTheSameTitle(kind: RepositoryKind) throws {
    let (window, list, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    list.presenter.titleTapped(.numbered(1))
    let presenter = try #require(window.view(EditView.self)).presenter
    let next = EditView(presenter)
    presenter.attach(next)
    #expect(next.stored == ["item 1"])
    next.presenter.rightBarButtonTapped("우유 사기")
    #expect(next.stored == ["item 1", "우유 사기"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aBlankTitleIsAnAlertInBothModes(kind: RepositoryKind) throws {
    let (window, list, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    for open in [
      list.presenter.rightBarButtonTapped, { list.presenter.titleTapped(.numbered(1)) },
    ] {
      open()
      let view = try #require(window.view(EditView.self))
      view.presenter.rightBarButtonTapped("\u{3000} ")
      #expect(view.alert == PresentableError(ValidationIssue(.blank, at: .title)))
      #expect(view.dismissals == 0)
      view.presenter.alertDismissed()
      view.presenter.leftBarButtonTapped()
    }
    #expect(try window.repository.items(.all).map(\.title) == ["item 1"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func twoScreensThatChangeDifferentFieldsOfAnItemBothHold(kind: RepositoryKind) throws {
    let (window, list, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    list.presenter.titleTapped(.numbered(1))
    let view = try #require(window.view(EditView.self))
    // Another window ticks the item and gives it a star, and knows nothing of this form.
    let other = Window(window.repository)
    let shown = try openList(in: other)
    shown.presenter.doneTapped(shown.items[0])
    shown.presenter.starTapped(shown.items[0])
    view.presenter.rightBarButtonTapped("new")
    #expect(view.alert == nil && view.dismissals == 1)
    for list in [list, shown] {
      (list === shown ? other : window).thread.run {
        list.titles == ["new"] && list.items[0].isDone && list.items[0].isImportant
      }
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aClashOfTitlesIsAnAlertAndOverwritesNothing(kind: RepositoryKind) throws {
    let (window, list, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    list.presenter.titleTapped(.numbered(1))
    let view = try #require(window.view(EditView.self))
    try window.repository.perform(.retitle(.numbered(1), to: "theirs"))
    view.presenter.rightBarButtonTapped("mine")
    guard case .changedSince(.numbered(1)) = view.alert?.cause as? TodoError else {
      Issue.record("unexpected alert: \(String(describing: view.alert))")
      return
    }
    #expect(try window.repository.item(.numbered(1))?.title == "theirs")
    view.presenter.alertDismissed()
    #expect(view.stored == ["item 1", "theirs"])
    view.presenter.rightBarButtonTapped("mine")
    #expect(try window.repository.item(.numbered(1))?.title == "mine")
  }

  @Test(arguments: RepositoryKind.allCases)
  func theAlertNamesTheItemThatIsGoneAndTheFormCloses(kind: RepositoryKind) throws {
    let (window, list, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    list.presenter.titleTapped(.numbered(1))
    let view = try #require(window.view(EditView.self))
    try window.repository.perform(.delete([.numbered(1)]))
    view.presenter.rightBarButtonTapped("new")
    guard case .notFound(.numbered(1)) = view.alert?.cause as? TodoError else {
      Issue.record("unexpected alert: \(String(describing: view.alert))")
      return
    }
    #expect(view.dismissals == 0)
    view.presenter.alertDismissed()
    #expect(view.dismissals == 1 && window.router.stack.count == 2)
    // The tap was on its way when the row went.
    list.presenter.titleTapped(.numbered(1))
    let late = try #require(window.view(EditView.self))
    #expect(late.alert?.code == .itemNotFound && late.stored == [])
    late.presenter.alertDismissed()
    #expect(late.dismissals == 1)
  }
}
