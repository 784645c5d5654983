/// Remembers what it accepted, and never ends.
///
/// Whoever subscribes gets what it remembers first, and then every element that is accepted.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class ReplayRelay<Element>: RelayType {
  @usableFromInline let subject: ReplaySubject<Element>

  private init(_ subject: ReplaySubject<Element>) {
    self.subject = subject
  }

  /// Makes a relay that remembers the latest elements.
  ///
  /// - Parameter bufferSize: how many; 0 or more.
  public static func create(bufferSize: Int) -> ReplayRelay<Element> {
    ReplayRelay(.create(bufferSize: bufferSize))
  }

  /// Makes a relay that remembers every element.
  ///
  /// Nothing is ever forgotten: it fits where their number is known to be small.
  public static func createUnbound() -> ReplayRelay<Element> {
    ReplayRelay(.createUnbounded())
  }

  /// Remembers an element and sends it to everybody who is subscribed.
  @inlinable
  public func accept(_ event: Element) { subject.broadcast.next(event) }

  /// Sends what it remembers, and then what is accepted, until the result is disposed.
  public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    subject.subscribe(observer)
  }

  /// The side that is subscribed.
  public func asObservable() -> Observable<Element> { subject }
}

// Unchecked: as its subject.
extension ReplayRelay: @unchecked Sendable where Element: Sendable {}
