import Foundation
import PageServer
import Presentation
import Reactive
import TodoKit
import TodoScreens

/// The screens of all lists for one request: presenters, and views that keep what they are told.
///
/// The page of a list shows what was committed, so an answer has the stored name, the question or the error.
///
/// Threads: that of ``Site/write(_:)``, on which views are told what they show.
final class HomeScreen {
  private let window: AnswerWindow
  private let coordinator: TodoCoordinator

  init(_ site: Site) {
    window = AnswerWindow()
    coordinator = TodoCoordinator(
      repository: site.repository, router: Router(), scheduler: site.views, screens: window,
      deletions: site.deletions)
  }

  /// Makes a list of a name.
  ///
  /// - Throws: `ValidationIssue` for a name that is refused; `TodoError` of the repository.
  func add(_ name: String) throws -> Stored {
    try submit(.addList) {
      window.newList?.rightBarButtonTapped(name)
      return window.newList?.result
    }
  }

  /// Gives a list another name; returns and throws as ``add(_:)`` does.
  ///
  /// - Parameter shown: The name that the user was shown; nil for any.
  /// - Throws: `TodoError.changedSince` also where the list has another name than the user was shown.
  func rename(_ id: UUID, from shown: String?, to name: String) throws -> Stored {
    try submit(.renameList(id: id)) {
      // The form shows the name that is stored.
      if let shown, window.view.stored.shown != shown { throw TodoError.changedSince(id) }
      window.renaming?.rightBarButtonTapped(name)
      return window.renaming?.result
    }
  }

  /// Puts a list at a position among the lists.
  func move(_ id: UUID, to position: Position) throws -> CommandResult? {
    try home { $0.moved(id, to: position) }
    return window.home?.result
  }

  /// Asks for the deletion of a list with its items.
  func askToDelete(_ id: UUID) throws -> PendingDeletion {
    try home { $0.deleteTapped(id) }
    guard let question = window.view.question else { throw TodoError.groupNotFound(id) }
    return question
  }

  private func home(_ tap: (HomePresenter) -> Void) throws {
    coordinator.start(with: .home)
    if let presenter = window.home { tap(presenter) }
    try window.view.succeed()
  }

  private func submit(
    _ route: TodoRoute, _ tap: () throws -> CommandResult?
  ) throws -> Stored {
    coordinator.start(with: route)
    // A form that could not show what it changes has nothing to store.
    try window.view.succeed()
    let result = try tap()
    try window.view.succeed()
    return Stored(name: window.view.stored, result: result)
  }
}

extension HomeScreen {
  /// What a form has stored: the name, and the command's result.
  struct Stored {
    let name: String
    let result: CommandResult?
  }
}

/// Brings one view for each screen, which draws nothing.
private final class AnswerWindow: ScreenFactory {
  let view = AnswerView()
  private(set) var home: HomePresenter?
  private(set) var newList: AddListPresenter?
  private(set) var renaming: RenameListPresenter?

  func show(_ presenter: HomePresenter) {
    home = presenter
    presenter.attach(view)
  }

  func show(_ presenter: AddListPresenter) {
    newList = presenter
    presenter.attach(view)
  }

  func show(_ presenter: RenameListPresenter) {
    renaming = presenter
    presenter.attach(view)
  }

  // The page has items in the list, and their titles in its rows.
  func show(_ presenter: TodoListPresenter) {}
  func show(_ presenter: EditTaskPresenter) {}
}

/// Keeps what the presenter of a screen says of what was done.
private final class AnswerView: HomeView, FormView {
  private(set) var question: PendingDeletion?
  private(set) var stored = ""
  private var alert: PresentableError?

  func succeed() throws {
    if let alert { throw alert.cause }
  }

  func setUpUI() {}
  func showStored(_ text: String) { stored = text }
  func showAlert(_ error: PresentableError?) { alert = error }
  func ask(_ question: PendingDeletion?) { self.question = question }
  func dismiss() {}
  func update(_ event: FetchedEvent<GroupSummary>) {}
  func configure(listCount: Int) {}
  func showImportant(_ tally: Tally) {}
}
