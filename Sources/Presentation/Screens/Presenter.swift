public import Reactive

/// Decides what a screen shows and what follows from what its user does.
///
/// A presenter tells its view what to show by calling the methods of the view's
/// protocol, and holds it weakly: the view holds the presenter.
///
/// ```swift
/// protocol AddListView: AnyObject { func showAlert(_ text: String) }
///
/// final class AddListPresenter: Presenter<any AddListView> {
///   func save(_ name: String) {
///     if name.isEmpty { view?.showAlert("A name, please.") }
///   }
/// }
/// ```
///
/// Threads: one, that of its view. A presenter that observes what other threads
/// send has it delivered on its own with `observe(on:)`.
open class Presenter<View> {
  /// What the presenter has subscribed to for its view.
  ///
  /// It ends with the presenter, and when another view is attached, for which it begins anew.
  public private(set) final var bag = DisposeBag()
  private weak var reference: AnyObject?

  /// Makes a presenter without a view.
  public init() {}

  /// The view; nil before it was attached, after it was detached, and once it is gone.
  public final var view: View? { reference as? View }

  /// Takes the view, which is held weakly, in place of the one before, and begins.
  ///
  /// - Precondition: The view is an object: a value would be gone at once.
  public final func attach(_ view: View) {
    // As Any: the type of what stands behind a protocol is asked for, not the protocol.
    let type = type(of: view as Any)
    precondition(
      type is AnyClass, "A view is held weakly, so it must be an object: make \(type) a class.")
    reference = view as AnyObject
    bag = DisposeBag()
    viewDidLoad()
  }

  /// Lets go of the view; what the presenter does from now on is not shown.
  public final func detach() { reference = nil }

  /// Called when a view was attached: the place to show what there is and to subscribe.
  open func viewDidLoad() {}
}
