public import CroftFoundation
import Presentation
public import TodoKit

/// Presents the form for a task's title: a new task's, or another one.
///
/// A title that was changed meanwhile is not overwritten: an alert says so, and the form then shows
/// the current title. Changes of other properties, made on other screens, are kept.
///
/// Threads: one, that of the view.
public final class EditTaskPresenter: FormPresenter {
  /// The purpose of the form.
  public let mode: EditTaskMode
  private var shown: TodoItem?

  init(_ mode: EditTaskMode, _ coordinator: TodoCoordinator) {
    self.mode = mode
    super.init(.editTask(mode), coordinator)
  }

  /// Shows the current title, if there is one.
  public override func viewDidLoad() {
    super.viewDidLoad()
    guard case .retitle(let id) = mode else { return }
    // A view that takes the place of another was shown nothing.
    shown = nil
    errors.track {
      try reload(id)
      if shown == nil { throw TodoError.notFound(id) }
    }
  }

  /// The user confirms the typed title.
  public func rightBarButtonTapped(_ input: String) {
    submit(showing: { $0.items[0].title }) {
      switch mode {
      case .create(let list):
        return try repository.perform(validating: .addTitle(input, in: list.groupID))
      case .retitle(let id):
        guard let shown else { throw TodoError.notFound(id) }
        let action = TodoAction.retitle(id, to: input, ifStill: shown)
        return try repository.perform(validating: action)
      }
    }
  }

  /// The user has seen the alert; the form shows the current title, or closes if the item is
  /// deleted.
  public override func alertDismissed() {
    super.alertDismissed()
    guard case .retitle(let id) = mode else { return }
    errors.track { try reload(id) }
    if shown == nil { close() }
  }

  private func reload(_ id: UUID) throws {
    let title = shown?.title
    shown = try repository.item(id)
    if let shown, shown.title != title { view?.showStored(shown.title) }
  }
}

/// The purpose of the form for a task's title.
public enum EditTaskMode: Hashable, Codable, Sendable {
  /// A new task in a list.
  case create(in: ItemList)
  /// Another title for a task.
  case retitle(id: UUID)
}
