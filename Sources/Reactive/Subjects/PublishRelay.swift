/// Sends what it accepts to everybody who is subscribed at that time, and never ends.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class PublishRelay<Element>: RelayType {
  @usableFromInline let subject = PublishSubject<Element>()

  /// Makes a relay without observers.
  public init() {}

  /// Sends an element to everybody who is subscribed.
  @inlinable
  public func accept(_ event: Element) { subject.broadcast.next(event) }

  /// Sends what is accepted from now on, until the result is disposed.
  public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    subject.subscribe(observer)
  }

  /// The side that is subscribed.
  public func asObservable() -> Observable<Element> { subject }
}

// Unchecked: as its subject.
extension PublishRelay: @unchecked Sendable where Element: Sendable {}
