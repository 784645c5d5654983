/// A type that converts to an observable.
public protocol ObservableConvertibleType<Element> {
  /// The type of the elements.
  associatedtype Element

  /// The same sequence as an observable.
  func asObservable() -> Observable<Element>
}

/// A sequence of events that observers can subscribe to.
///
/// A type of your own that conforms gets every operator. It implements `subscribe`; operators put
/// its events in order and drop those after its end.
public protocol ObservableType<Element>: ObservableConvertibleType {
  /// Emits events to the observer until the sequence ends or the result is disposed.
  ///
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
  func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element
}

extension ObservableType {
  /// The same sequence as an observable.
  public func asObservable() -> Observable<Element> {
    Observable.emitting { self.subscribe(AnyObserver($0)) }
  }
}
