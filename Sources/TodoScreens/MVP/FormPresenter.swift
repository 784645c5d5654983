public import Presentation
import TodoKit

/// Presents a form with one line of text, which closes when that is stored.
public class FormPresenter: TodoPresenter<any FormView> {
  private var isClosed = false

  /// Builds the form, and shows errors.
  public override func viewDidLoad() {
    view?.setUpUI()
    showAlerts { $0.showAlert($1) }
  }

  /// The user gives up: nothing is stored.
  public final func leftBarButtonTapped() { close() }

  /// Stores the input, shows the stored text, and closes.
  ///
  /// Where that fails, the form stays open. Another tap on a form that has closed stores nothing.
  ///
  /// - Parameters:
  ///   - text: The stored text of what the command did.
  ///   - store: The command.
  final func submit(
    showing text: (CommandResult) -> String, _ store: () throws -> CommandResult
  ) {
    guard !isClosed, let result = perform(store) else { return }
    view?.showStored(text(result))
    close()
  }

  final func close() {
    if isClosed { return }
    isClosed = true
    view?.dismiss()
    coordinator?.finish()
  }
}

/// The view of a form with one line of text.
public protocol FormView: AnyObject {
  /// Builds the view's parts; called once, first.
  func setUpUI()
  /// Shows the text that is stored.
  ///
  /// It is what editing begins with, what another screen has made of it meanwhile, and at last
  /// what was made of the input.
  func showStored(_ text: String)
  /// Shows an error until the user dismisses it; nil removes it.
  func showAlert(_ error: PresentableError?)
  /// Closes the view.
  func dismiss()
}

/// Presents the form for a new list.
///
/// Threads: one, that of the view.
public final class AddListPresenter: FormPresenter {
  /// The user confirms the new list; where its name is taken, a number is added.
  ///
  /// A blank name is an alert.
  public func rightBarButtonTapped(_ input: String) {
    submit(showing: { $0.groups[0].name }) {
      try repository.perform(validating: .addGroup(GroupDraft(name: input)))
    }
  }
}
