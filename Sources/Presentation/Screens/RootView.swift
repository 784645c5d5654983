/// The view of one screen, with any user interface framework.
///
/// Views subscribe to models and emit events; they make no decisions.
public protocol RootView: AnyObject, SendableMetatype {
  /// Builds the view's parts and subscribes to its models; called once.
  func initializeUI()
}
