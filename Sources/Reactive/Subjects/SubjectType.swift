/// Both an observable and an observer.
public protocol SubjectType<Element>: ObservableType {
  /// The observer that it is seen as.
  associatedtype Observer: ObserverType

  /// The side that events are sent to.
  func asObserver() -> Observer
}
