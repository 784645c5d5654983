/// Sends what it is sent to everybody who is subscribed at that time.
///
/// Events sent from within a handler wait until the running one reached everybody, so all
/// observers see the same order. After its end, whoever subscribes gets the end.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class PublishSubject<Element>: Observable<Element>, SubjectType, ObserverType {
  @usableFromInline let broadcast = Broadcast<Element>()
  private let flag = BooleanDisposable()

  /// Makes a subject without observers.
  public override init() {}

  /// Whether somebody is subscribed.
  public var hasObservers: Bool { broadcast.hasObservers }

  /// Whether it was disposed.
  public var isDisposed: Bool { flag.isDisposed }

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
  public func asObserver() -> PublishSubject<Element> { self }

  /// Starts sending to a sink.
  public override func run(_ sink: Sink<Element>) { broadcast.add(sink) }

  /// Lets go of all observers; whoever subscribes later gets `RxError.disposed`.
  public func dispose() {
    flag.dispose()
    broadcast.close(RxError.disposed)
  }
}

// Unchecked: as every observable; what changes is guarded by the broadcast.
extension PublishSubject: @unchecked Sendable where Element: Sendable {}
