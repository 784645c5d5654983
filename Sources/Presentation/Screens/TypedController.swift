public import Reactive

/// Connects one screen's view with the models: a controller that knows its view's type.
///
/// ```swift
/// final class GroupController<View: GroupView>: TypedController<View> {
///   override func viewDidLoad() {
///     bus.on(RenameGroup.self, by: self) { (controller, payload) in
///       controller.rename(payload.name)
///     }
///   }
/// }
/// ```
///
/// What it does may be tested with any object that conforms to the view's protocol.
///
/// Threads: one, that of its view.
open class TypedController<View: RootView> {
  /// The controller's view.
  public let typedView: View
  /// Where the view's events arrive.
  public let bus: EventBus
  private var isLoaded = false

  /// Makes a controller that holds its view.
  ///
  /// - Parameters:
  ///   - view: The view; it is not touched before the controller is loaded.
  ///   - bus: Where its events arrive.
  public init(view: View, bus: EventBus = .shared) {
    typedView = view
    self.bus = bus
  }

  /// Has the view build itself and then begins; once, however often it is called.
  ///
  /// Models may be filled before or after: a view that subscribes with `immediate`
  /// shows the same picture either way.
  public final func loadView() {
    if isLoaded { return }
    isLoaded = true
    typedView.initializeUI()
    viewDidLoad()
  }

  /// Called when the view is ready: the place to listen for events.
  open func viewDidLoad() {}
}

/// The view of one screen, with any user interface framework.
///
/// Views subscribe to models and emit events; they make no decisions.
public protocol RootView: AnyObject, SendableMetatype {
  /// Builds the view's parts and subscribes to its models; called once.
  func initializeUI()
}
