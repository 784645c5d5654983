/// A sequence whose source is only subscribed when somebody says so.
public protocol ConnectableObservableType<Element>: ObservableType {
  /// Subscribes the source for everybody who is subscribed here.
  ///
  /// - Returns: what disposes the source's subscription again.
  func connect() -> any Disposable
}
