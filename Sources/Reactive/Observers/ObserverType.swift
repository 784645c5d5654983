/// Something that events can be sent to.
///
/// Conform your own types to it to subscribe them directly. Events arrive one at a time, and
/// nothing arrives after an error or a completion.
public protocol ObserverType<Element> {
  /// The elements that it takes.
  associatedtype Element

  /// Takes an event.
  func on(_ event: Event<Element>)

  /// Takes an element; what it does is up to `on(_:)` unless it has a faster way.
  func onNext(_ element: Element)
}

extension ObserverType {
  /// Sends an element.
  public func onNext(_ element: Element) { on(.next(element)) }

  /// Sends the end by an error.
  public func onError(_ error: any Error) { on(.error(error)) }

  /// Sends the end.
  public func onCompleted() { on(.completed) }

  /// The same observer without its type.
  public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }
}
