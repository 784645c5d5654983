/// Emits each element that is sent to it, to the observers of that time.
///
/// An event sent from within a handler waits until the running one is delivered to all
/// observers, so all of them receive the same order. After its end, a new observer receives the
/// end alone.
public final class PublishSubject<Element>: BroadcastSubject<Element>, SubjectType {
  /// Makes a subject without observers.
  public init() { super.init(ReplayBuffer(capacity: 0)) }

  /// The subject as an observer.
  public func asObserver() -> PublishSubject<Element> { self }
}

// Unchecked: as its superclass.
extension PublishSubject: @unchecked Sendable where Element: Sendable {}
