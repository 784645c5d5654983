extension ObservableType where Element: ObservableConvertibleType {
  /// Sends what the latest of the inner sequences sends, and drops the one before.
  ///
  /// The one before is disposed before the next one is subscribed. It completes when the source
  /// and the last inner sequence completed.
  public func switchLatest() -> Observable<Element.Element> {
    latest(of: asObservable()) { $0.asObservable() }
  }
}
