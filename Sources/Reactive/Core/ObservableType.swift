/// Something that can be seen as an observable.
public protocol ObservableConvertibleType<Element> {
  /// The elements that it sends.
  associatedtype Element

  /// The same sequence as an observable.
  func asObservable() -> Observable<Element>
}

/// A sequence of events that observers can subscribe to.
///
/// Conform your own types to it to give them every operator. `subscribe` is all that is needed;
/// what it sends is put in line and cut off after its end.
public protocol ObservableType<Element>: ObservableConvertibleType {
  /// Sends events to the observer until the sequence ends or the result is disposed.
  ///
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element
}

extension ObservableType {
  /// The same sequence as an observable.
  public func asObservable() -> Observable<Element> {
    Observable.emitting { self.subscribe(AnyObserver($0)) }
  }
}
