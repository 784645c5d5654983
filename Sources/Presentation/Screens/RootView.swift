/// The whole of what one screen shows, whatever it is drawn with.
///
/// Views subscribe to models and emit events; they decide nothing.
public protocol RootView: AnyObject, SendableMetatype {
  /// Builds the view's parts and subscribes to what it shows; called once.
  func initializeUI()
}
