/// A subject that takes elements only and never ends; sequences can be bound to it.
public protocol RelayType<Element>: ObservableType {
  /// Emits an element.
  func accept(_ event: Element)
}

// Each relay has these members of its own: in a base class, accepting an element retains the subject,
// which takes twice the instructions.

/// Emits each element that it accepts to the observers at that time, and never ends.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class PublishRelay<Element>: RelayType {
  @usableFromInline let subject = PublishSubject<Element>()

  /// Makes a relay without observers.
  public init() {}

  /// Emits an element to all observers.
  @inlinable
  public func accept(_ event: Element) { subject.broadcast.next(event) }

  /// Emits the elements accepted from now on, until the result is disposed.
  public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    subject.subscribe(observer)
  }

  /// The relay as an observable.
  public func asObservable() -> Observable<Element> { subject }
}

// Unchecked: as its subject.
extension PublishRelay: @unchecked Sendable where Element: Sendable {}

/// Has a current value and never ends.
///
/// A new observer receives the current value first, and then every element that is accepted.
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

  /// Makes an element the current value and emits it to all observers.
  @inlinable
  public func accept(_ event: Element) { subject.broadcast.next(event) }

  /// Emits the current value and the elements accepted later, until the result is disposed.
  public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    subject.subscribe(observer)
  }

  /// The relay as an observable.
  public func asObservable() -> Observable<Element> { subject }
}

// Unchecked: as its subject.
extension BehaviorRelay: @unchecked Sendable where Element: Sendable {}

/// Keeps the latest elements and never ends.
///
/// A new observer receives the elements that are kept, and then every one that is accepted.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class ReplayRelay<Element>: RelayType {
  @usableFromInline let subject: ReplaySubject<Element>

  private init(_ subject: ReplaySubject<Element>) {
    self.subject = subject
  }

  /// Makes a relay that keeps the latest elements.
  ///
  /// - Parameter bufferSize: how many it keeps; 0 or more.
  public static func create(bufferSize: Int) -> ReplayRelay<Element> {
    ReplayRelay(.create(bufferSize: bufferSize))
  }

  /// Makes a relay that keeps every element.
  ///
  /// Its memory grows with each of them: use it only where their number is known to be small.
  public static func createUnbound() -> ReplayRelay<Element> {
    ReplayRelay(.createUnbounded())
  }

  /// Keeps an element and emits it to all observers.
  @inlinable
  public func accept(_ event: Element) { subject.broadcast.next(event) }

  /// Emits the kept elements and those accepted later, until the result is disposed.
  public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    subject.subscribe(observer)
  }

  /// The relay as an observable.
  public func asObservable() -> Observable<Element> { subject }
}

// Unchecked: as its subject.
extension ReplayRelay: @unchecked Sendable where Element: Sendable {}
