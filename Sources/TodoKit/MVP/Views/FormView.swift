public import Presentation

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
