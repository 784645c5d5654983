public import Presentation
import TodoKit

/// Presents a form with one line of text, which closes when that is stored.
public class FormPresenter: TodoPresenter<any FormView> {
  private var isClosed = false

  /// Has the form built, and what goes wrong shown.
  public override func viewDidLoad() {
    view?.setUpUI()
    showAlerts { $0.showAlert($1) }
  }

  /// The user gives up: nothing is stored.
  public final func leftBarButtonTapped() { close() }

  /// Stores the input, has the view show what was made of it, and closes.
  ///
  /// Where that fails, the form stays open. Another tap on a form that has closed stores nothing.
  ///
  /// - Parameter store: Returns the stored text.
  final func submit(_ store: () throws -> String) {
    guard !isClosed, let text = errors.track(store) else { return }
    view?.showStored(text)
    close()
  }

  final func close() {
    if isClosed { return }
    isClosed = true
    view?.dismiss()
    coordinator?.finish()
  }
}

/// What draws a form with one line of text.
public protocol FormView: AnyObject {
  /// Builds the view's parts; called once, first.
  func setUpUI()
  /// Shows the text that is stored.
  ///
  /// It is what editing begins with, what another screen has made of it meanwhile, and at last
  /// what was made of the input.
  func showStored(_ text: String)
  /// Shows what went wrong until the user dismisses it; nil takes it away.
  func showAlert(_ error: PresentableError?)
  /// Closes the view.
  func dismiss()
}

/// Presents the form for a new list.
///
/// Threads: one, that of the view.
public final class AddListPresenter: FormPresenter {
  /// The user wants the list to be made, under the name that was typed or one made of it.
  ///
  /// A name with nothing to read is an alert.
  public func rightBarButtonTapped(_ input: String) {
    submit {
      try repository.perform(validating: .addGroup(GroupDraft(name: input))).groups[0].name
    }
  }
}
