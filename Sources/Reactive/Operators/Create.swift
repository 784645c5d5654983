extension ObservableType {
  /// Makes an observable of a closure that sends to an observer.
  ///
  ///     let answer = Observable<Int>.create { observer in
  ///       observer.onNext(42)
  ///       observer.onCompleted()
  ///       return Disposables.create()
  ///     }
  ///
  /// The closure runs once per subscription, on the subscriber's thread. What it sends after
  /// the end, or after the subscription was disposed, is dropped.
  ///
  /// - Parameter subscribe: sends to the observer, then or later, from any thread, and returns
  ///   what stops that; it is disposed once, after the end was delivered.
  @preconcurrency
  public static func create(
    _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
  ) -> Observable<Element> {
    emitting { subscribe(AnyObserver($0)) }
  }
}
