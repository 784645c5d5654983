import Presentation

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
  /// - Parameter store: Returns the text as it was stored.
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
