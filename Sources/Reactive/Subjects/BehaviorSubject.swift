/// Has a current value: whoever subscribes gets it first, and then what is sent.
///
/// The value changes when an element is accepted, before anybody was told. After its end,
/// whoever subscribes gets the end alone.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class BehaviorSubject<Element>: Observable<Element>, SubjectType, ObserverType {
  @usableFromInline let broadcast: Broadcast<Element>
  private let flag = BooleanDisposable()

  /// Makes a subject with its first value.
  public init(value: Element) {
    broadcast = Broadcast(buffer: ReplayBuffer(holding: value))
  }

  /// Whether somebody is subscribed.
  public var hasObservers: Bool { broadcast.hasObservers }

  /// Whether it was disposed.
  public var isDisposed: Bool { flag.isDisposed }

  /// The element accepted last.
  ///
  /// - Throws: the error that the subject ended with; `RxError.disposed` once it was disposed.
  public func value() throws -> Element {
    let (last, error) = broadcast.withReplayBuffer { ($0.last, $0.termination?.error) }
    if let error { throw error }
    guard let last else { preconditionFailure("A behavior subject always has a value.") }
    return last
  }

  /// Sends an event.
  public func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): broadcast.next(element)
    case .error(let error): broadcast.done(error)
    case .completed: broadcast.done(nil)
    }
  }

  /// Sends an element.
  @inlinable
  public func onNext(_ element: Element) { broadcast.next(element) }

  /// The subject as an observer.
  public func asObserver() -> BehaviorSubject<Element> { self }

  /// Starts sending to a sink.
  public override func run(_ sink: Sink<Element>) { broadcast.add(sink) }

  /// Lets go of all observers; whoever subscribes later gets `RxError.disposed`.
  public func dispose() {
    flag.dispose()
    broadcast.close(RxError.disposed)
  }
}

// Unchecked: as every observable; what changes is guarded by the broadcast.
extension BehaviorSubject: @unchecked Sendable where Element: Sendable {}
