import Foundation
import Presentation
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

private typealias AddView = RecordingFormView<AddListPresenter>
private typealias RenameView = RecordingFormView<RenameListPresenter>

@Suite("AddListPresenter")
struct AddListPresenterTests {
  private func open(_ repository: any TodoRepository) throws -> (window: Window, view: AddView) {
    let window = Window(repository)
    try #require(window.view(RecordingHomeView.self)).presenter.rightBarButtonTapped()
    return (window, try #require(window.view(AddView.self)))
  }

  @Test(arguments: RepositoryKind.allCases)
  func theFormShowsTheNameThatWasStoredAndCloses(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.addGroup(name: "집안일"))
    let (window, view) = try open(repository)
    #expect(view.isSetUp && window.router.stack == [.home, .addList])
    view.presenter.rightBarButtonTapped(" 집안일\n")
    #expect(view.stored == ["집안일 (1)"] && view.dismissals == 1 && view.alert == nil)
    #expect(window.router.stack == [.home])
    let home = try #require(window.view(RecordingHomeView.self))
    window.thread.run { home.lines == ["집안일 0/0", "집안일 (1) 0/0"] }
  }

  @Test(arguments: RepositoryKind.allCases)
  func theReservedNameIsAnAlertAndTheFormStaysOpen(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let (window, view) = try open(repository)
    view.presenter.rightBarButtonTapped("Important ")
    #expect(view.alert?.code == .reservedName)
    #expect(view.alert?.params == ["name": .text("Important")])
    #expect(view.dismissals == 0 && window.router.stack == [.home, .addList])
    #expect(try repository.groups() == [])
    view.presenter.alertDismissed()
    #expect(view.alert == nil && view.dismissals == 0)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aBlankNameIsAnAlertAndTheFormStaysOpen(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let (window, view) = try open(repository)
    for blank in ["", " \u{3000}", "\u{200B}"] {
      view.presenter.rightBarButtonTapped(blank)
      #expect(view.alert == PresentableError(ValidationIssue(.blank, at: .name)))
      view.presenter.alertDismissed()
    }
    #expect(view.dismissals == 0 && window.router.stack == [.home, .addList])
    #expect(try repository.groups() == [])
    view.presenter.rightBarButtonTapped("집안일")
    #expect(view.stored == ["집안일"] && view.dismissals == 1)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aSecondTapAndATapAfterCancelStoreNothing(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let (window, view) = try open(repository)
    view.presenter.rightBarButtonTapped("home")
    view.presenter.rightBarButtonTapped("home")
    #expect(try repository.groups().map(\.group.name) == ["home"])
    try #require(window.view(RecordingHomeView.self)).presenter.rightBarButtonTapped()
    let second = try #require(window.view(AddView.self))
    second.presenter.leftBarButtonTapped()
    second.presenter.rightBarButtonTapped("work")
    #expect(second.dismissals == 1 && second.stored == [])
    #expect(try repository.groups().count == 1 && window.router.stack == [.home])
  }
}

@Suite("RenameListPresenter")
struct RenameListPresenterTests {
  private let group = TodoGroup.numbered(1, name: "home")

  private func open(
    _ kind: RepositoryKind
  ) throws -> (window: Window, view: RenameView, folder: TemporaryFolder?) {
    let (repository, folder) = try kind.make()
    try repository.perform(.add(groups: [group, .numbered(2, name: "work")], items: []))
    let window = Window(repository)
    return (window, try open(window), folder)
  }

  private func open(_ window: Window) throws -> RenameView {
    try #require(window.view(RecordingHomeView.self)).presenter.listTapped(.group(id: group.id))
    try #require(window.view(RecordingListView.self)).presenter.nameTapped()
    return try #require(window.view(RenameView.self))
  }

  @Test(arguments: RepositoryKind.allCases)
  func anotherNameMayNotBeBlank(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.rightBarButtonTapped(" \t")
    #expect(view.alert == PresentableError(ValidationIssue(.blank, at: .name)))
    #expect(view.stored == ["home"] && view.dismissals == 0)
    #expect(try window.repository.group(group.id)?.name == "home")
  }

  @Test(arguments: RepositoryKind.allCases)
  func theFormBeginsWithTheNameAndShowsTheOneReallyUsed(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    #expect(view.stored == ["home"])
    #expect(
      window.router.stack
        == [.home, .list(.group(id: group.id)), .renameList(id: group.id)])
    view.presenter.rightBarButtonTapped(" work ")
    #expect(view.stored == ["home", "work (1)"] && view.dismissals == 1)
    let list = try #require(window.view(RecordingListView.self))
    window.thread.run { list.name == "work (1)" }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aViewThatTakesThePlaceOfAnotherShowsTheSameName(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime((window, folder)) {} }
    let next = RenameView(view.presenter)
    view.presenter.attach(next)
    #expect(next.stored == ["home"])
    next.presenter.rightBarButtonTapped("집안일")
    #expect(next.stored == ["home", "집안일"] && next.dismissals == 1)
  }

  @Test(arguments: RepositoryKind.allCases)
  func theListsOwnNameIsNoDuplicate(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    view.presenter.rightBarButtonTapped("home")
    #expect(view.stored == ["home", "home"] && view.dismissals == 1)
    #expect(try window.repository.group(group.id)?.name == "home")
  }

  @Test(arguments: RepositoryKind.allCases)
  func aReservedNameIsAnAlert(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime((window, folder)) {} }
    view.presenter.rightBarButtonTapped("중요")
    #expect(view.alert?.code == .reservedName && view.dismissals == 0)
    view.presenter.alertDismissed()
    #expect(view.alert == nil && view.stored == ["home"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func twoScreensThatChangeDifferentFieldsOfAListBothHold(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    let red = try #require(RGBA("#ff0000"))
    try window.repository.perform(.editGroup(group.id, GroupPatch(color: red)))
    view.presenter.rightBarButtonTapped("house")
    #expect(view.alert == nil && view.dismissals == 1)
    let stored = try #require(try window.repository.group(group.id))
    #expect(stored.name == "house" && stored.color == red)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aClashOfNamesIsAnAlertAndOverwritesNothing(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    // Another window renames the list while this form is open.
    let other = Window(window.repository)
    try open(other).presenter.rightBarButtonTapped("flat")
    view.presenter.rightBarButtonTapped("house")
    guard case .changedSince(group.id) = view.alert?.cause as? TodoError else {
      Issue.record("unexpected alert: \(String(describing: view.alert))")
      return
    }
    #expect(try window.repository.group(group.id)?.name == "flat")
    #expect(view.dismissals == 0 && view.stored == ["home"])
    // Having seen what there is, the user may still want the other name.
    view.presenter.alertDismissed()
    #expect(view.alert == nil && view.stored == ["home", "flat"])
    view.presenter.rightBarButtonTapped("house")
    #expect(try window.repository.group(group.id)?.name == "house")
    #expect(view.dismissals == 1)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aListThatIsGoneClosesTheFormAfterTheAlert(kind: RepositoryKind) throws {
    let (window, view, folder) = try open(kind)
    defer { withExtendedLifetime(folder) {} }
    try window.repository.perform(.deleteGroup(group.id))
    view.presenter.rightBarButtonTapped("house")
    guard case .groupNotFound(group.id) = view.alert?.cause as? TodoError else {
      Issue.record("unexpected alert: \(String(describing: view.alert))")
      return
    }
    view.presenter.alertDismissed()
    #expect(view.dismissals == 1 && view.alert == nil)
    #expect(window.router.stack == [.home, .list(.group(id: group.id))])
  }
}
