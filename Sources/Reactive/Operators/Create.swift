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

extension ObservableType {
  /// Makes the observable anew for every subscription.
  ///
  /// - Parameter observableFactory: called when somebody subscribes; what it throws is sent.
  @preconcurrency
  public static func deferred(
    _ observableFactory: @escaping @Sendable () throws -> Observable<Element>
  ) -> Observable<Element> {
    Producer { down in
      do { try observableFactory().run(down) } catch { down.done(error) }
    }
  }
}

extension ObservableType {
  /// Completes without an element.
  public static func empty() -> Observable<Element> {
    Producer { $0.done(nil) }
  }
}

extension ObservableType {
  /// Sends nothing and does not end.
  public static func never() -> Observable<Element> { Observable() }
}

extension ObservableType {
  /// Fails without an element.
  public static func error(_ error: any Error) -> Observable<Element> {
    Producer { $0.done(error) }
  }
}
