/// Remembers what it was sent: whoever subscribes gets that first, and then what is sent.
///
/// After its end, whoever subscribes gets what it remembers, and the end.
///
/// Threads: may be used from any thread when its elements are `Sendable`.
public final class ReplaySubject<Element>: Observable<Element>, SubjectType, ObserverType {
  @usableFromInline let broadcast: Broadcast<Element>
  private let flag = BooleanDisposable()

  private init(capacity: Int) {
    broadcast = Broadcast(buffer: ReplayBuffer(capacity: capacity, replaysAfterEnd: true))
  }

  /// Makes a subject that remembers the latest elements.
  ///
  /// - Parameter bufferSize: how many; 0 or more.
  public static func create(bufferSize: Int) -> ReplaySubject<Element> {
    precondition(bufferSize >= 0, "bufferSize counts elements: 0 or more.")
    return ReplaySubject(capacity: bufferSize)
  }

  /// Makes a subject that remembers every element.
  ///
  /// Nothing is ever forgotten: it fits where their number is known to be small.
  public static func createUnbounded() -> ReplaySubject<Element> {
    ReplaySubject(capacity: .max)
  }

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
  public func asObserver() -> ReplaySubject<Element> { self }

  /// Starts sending to a sink.
  public override func run(_ sink: Sink<Element>) { broadcast.add(sink) }

  /// Lets go of all observers and of what it remembers; later subscribers get `RxError.disposed`.
  public func dispose() {
    flag.dispose()
    broadcast.close(RxError.disposed)
  }
}

// Unchecked: as every observable; what changes is guarded by the broadcast.
extension ReplaySubject: @unchecked Sendable where Element: Sendable {}
