extension ObservableType {
  /// Subscribes the source again whenever it failed, until it completes.
  ///
  /// One that fails at once every time never returns from the subscription.
  public func retry() -> Observable<Element> {
    let source = asObservable()
    return .trying(sequence(first: source) { $0 })
  }

  /// Subscribes the source again when it failed, so many times in all.
  ///
  /// The error of the last time is sent.
  ///
  /// - Parameter maxAttemptCount: how many times it is subscribed at most, the first one counted;
  ///   with 0 it completes without subscribing.
  public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
    precondition(maxAttemptCount >= 0, "retry counts subscriptions: 0 or more.")
    return .trying(repeatElement(asObservable(), count: maxAttemptCount))
  }
}
