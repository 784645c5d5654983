public import Reactive

/// Decides what a screen shows, and handles what its user does.
///
/// A presenter updates its view by calling the methods of the view's protocol. Its reference to
/// the view is weak: the view retains the presenter.
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
/// Threads: one, that of its view. A presenter receives elements of other threads on its own with
/// `observe(on:)`.
open class Presenter<View> {
  /// The subscriptions of the presenter for its view.
  ///
  /// They end with the presenter, and when another view is attached.
  public private(set) final var bag = DisposeBag()
  private weak var reference: AnyObject?

  /// Makes a presenter without a view.
  public init() {}

  /// The view; nil before it is attached, after it is detached, and when it is deallocated.
  public final var view: View? { reference as? View }

  /// Attaches a view, to which it has a weak reference, instead of the one before.
  ///
  /// - Precondition: The view is an object: a boxed value would be deallocated at once.
  public final func attach(_ view: View) {
    // As Any, because the type of the object is needed and not the protocol.
    let type = type(of: view as Any)
    precondition(
      type is AnyClass, "A view is held weakly, so it must be an object: make \(type) a class.")
    reference = view as AnyObject
    bag = DisposeBag()
    viewDidLoad()
  }

  /// Detaches the view; later changes are not shown.
  public final func detach() { reference = nil }

  /// Called when a view was attached; overrides show the current state and subscribe.
  open func viewDidLoad() {}
}
