/// Has a current value and never ends.
///
/// Whoever subscribes gets the value first, and then every element that is accepted.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class BehaviorRelay<Element>: RelayType {
  @usableFromInline let subject: BehaviorSubject<Element>

  /// Makes a relay with its first value.
  public init(value: Element) {
    subject = BehaviorSubject(value: value)
  }

  /// The element accepted last.
  public var value: Element {
    guard let last = subject.broadcast.withReplayBuffer({ $0.last }) else {
      preconditionFailure("A relay always has a value.")
    }
    return last
  }

  /// Makes it the current value and sends it to everybody who is subscribed.
  @inlinable
  public func accept(_ event: Element) { subject.broadcast.next(event) }

  /// Sends the value, and then what is accepted, until the result is disposed.
  public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    subject.subscribe(observer)
  }

  /// The side that is subscribed.
  public func asObservable() -> Observable<Element> { subject }
}

// Unchecked: as its subject.
extension BehaviorRelay: @unchecked Sendable where Element: Sendable {}
