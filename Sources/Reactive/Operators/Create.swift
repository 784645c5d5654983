extension ObservableType {
  /// Makes an observable from a closure that sends events to an observer.
  ///
  /// ```swift
  /// let answer = Observable<Int>.create { observer in
  ///   observer.onNext(42)
  ///   observer.onCompleted()
  ///   return Disposables.create()
  /// }
  /// ```
  ///
  /// The closure runs once per subscription, on the subscriber's thread. Events that it sends after
  /// the end, or after the subscription was disposed, are dropped.
  ///
  /// - Parameter subscribe: sends events to the observer, at once or later, from any thread. The
  ///   disposable that it returns is disposed once, after the end was delivered.
  @preconcurrency
  public static func create(
    _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
  ) -> Observable<Element> {
    emitting { subscribe(AnyObserver($0)) }
  }

  /// Makes a new observable for every subscription.
  ///
  /// - Parameter observableFactory: called for each subscription; an error it throws is emitted.
  @preconcurrency
  public static func deferred(
    _ observableFactory: @escaping @Sendable () throws -> Observable<Element>
  ) -> Observable<Element> {
    Producer { down in
      do { try observableFactory().run(down) } catch { down.done(error) }
    }
  }

  /// Completes without an element.
  public static func empty() -> Observable<Element> {
    Producer { $0.done(nil) }
  }

  /// Emits nothing and does not end.
  public static func never() -> Observable<Element> { Observable() }

  /// Emits an error without an element.
  public static func error(_ error: any Error) -> Observable<Element> {
    Producer { $0.done(error) }
  }
}
