extension ObservableType {
  /// Completes without an element.
  public static func empty() -> Observable<Element> {
    Producer { $0.done(nil) }
  }
}
