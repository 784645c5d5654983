/// Both an observable and an observer.
public protocol SubjectType<Element>: ObservableType {
  /// The type of the observer side.
  associatedtype Observer: ObserverType

  /// The observer side, to which events are sent.
  func asObserver() -> Observer
}

/// A subject that delivers events to all its observers, in one order.
///
/// `PublishSubject`, `BehaviorSubject` and `ReplaySubject` are its kinds; they differ in what a
/// new observer receives first.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public class BroadcastSubject<Element>: Observable<Element>, ObserverType {
  @usableFromInline final let broadcast: Broadcast<Element>
  private let flag = BooleanDisposable()

  init(_ buffer: ReplayBuffer<Element>) {
    broadcast = Broadcast(buffer: buffer)
  }

  /// Whether there are observers.
  public final var hasObservers: Bool { broadcast.hasObservers }

  /// Whether the subject was disposed.
  public final var isDisposed: Bool { flag.isDisposed }

  /// Sends an event to all observers.
  public final func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): broadcast.next(element)
    case .error(let error): broadcast.done(error)
    case .completed: broadcast.done(nil)
    }
  }

  /// Sends an element to all observers.
  @inlinable
  public final func onNext(_ element: Element) { broadcast.next(element) }

  /// Adds a sink as an observer.
  public final override func run(_ sink: Sink<Element>) { broadcast.add(sink) }

  /// Removes all observers and the elements kept; later observers receive `RxError.disposed`.
  public final func dispose() {
    flag.dispose()
    broadcast.close(RxError.disposed)
  }
}

// Unchecked: as every observable; the broadcast guards what changes.
extension BroadcastSubject: @unchecked Sendable where Element: Sendable {}
