public import Reactive

/// Connects the view of one screen with the models, with the concrete type of the view.
///
/// ```swift
/// final class GroupController<View: GroupView>: TypedController<View> {
///   override func viewDidLoad() {
///     bus.on(RenameGroup.self, by: self) { (controller, payload) in
///       controller.typedView.show(payload.name)
///     }
///   }
/// }
/// ```
///
/// A test can pass any object that conforms to the view's protocol.
///
/// Threads: one, that of its view.
open class TypedController<View: RootView> {
  /// The controller's view.
  public let typedView: View
  /// The bus of the view's events.
  public let bus: EventBus
  private var isLoaded = false

  /// Makes a controller that retains its view.
  ///
  /// - Parameters:
  ///   - view: The view; it is not touched before the controller is loaded.
  ///   - bus: The bus of its events.
  public init(view: View, bus: EventBus = .shared) {
    typedView = view
    self.bus = bus
  }

  /// Lets the view build itself, then calls `viewDidLoad`; further calls do nothing.
  ///
  /// Models may be filled before or after: a view that subscribes with `immediate` shows the same
  /// values either way.
  public final func loadView() {
    if isLoaded { return }
    isLoaded = true
    typedView.initializeUI()
    viewDidLoad()
  }

  /// Called when the view is ready; overrides subscribe to events.
  open func viewDidLoad() {}
}
