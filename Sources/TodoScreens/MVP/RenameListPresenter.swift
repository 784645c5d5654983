import CroftFoundation
import Presentation
import TodoKit

/// Presents the form for another name of a list.
///
/// A name that was changed meanwhile is not overwritten: an alert says so, and the form then shows
/// the current name. Changes of other properties, made on other screens, are kept.
///
/// Threads: one, that of the view.
public final class RenameListPresenter: FormPresenter {
  private let id: UUID
  private var shown: TodoGroup?

  init(_ id: UUID, _ coordinator: TodoCoordinator) {
    self.id = id
    super.init(.renameList(id: id), coordinator)
  }

  /// Shows the current name.
  public override func viewDidLoad() {
    super.viewDidLoad()
    // A view that takes the place of another was shown nothing.
    shown = nil
    errors.track {
      try reload()
      if shown == nil { throw TodoError.groupNotFound(id) }
    }
  }

  /// The user confirms the typed name; where it is taken, a number is added.
  ///
  /// A blank name is an alert.
  public func rightBarButtonTapped(_ input: String) {
    guard let shown else { return }
    submit(showing: { $0.groups[0].name }) {
      let action = TodoAction.editGroup(id, GroupPatch(name: input), ifStill: shown)
      return try repository.perform(validating: action)
    }
  }

  /// The user has seen the alert; the form shows the current name, or closes if the list is
  /// deleted.
  public override func alertDismissed() {
    super.alertDismissed()
    errors.track { try reload() }
    if shown == nil { close() }
  }

  private func reload() throws {
    let name = shown?.name
    shown = try repository.group(id)
    if let shown, shown.name != name { view?.showStored(shown.name) }
  }
}
