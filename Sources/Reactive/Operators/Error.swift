extension ObservableType {
  /// Fails without an element.
  public static func error(_ error: any Error) -> Observable<Element> {
    Producer { $0.done(error) }
  }
}
