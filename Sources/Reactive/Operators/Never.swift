extension ObservableType {
  /// Sends nothing and does not end.
  public static func never() -> Observable<Element> { Observable() }
}
