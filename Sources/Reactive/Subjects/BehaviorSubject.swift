/// Has a current value, which a new observer receives before the elements that are sent later.
///
/// The value changes when an element is accepted, before it is delivered to any observer. After
/// its end, a new observer receives the end alone.
public final class BehaviorSubject<Element>: BroadcastSubject<Element>, SubjectType {
  /// Makes a subject with its first value.
  public init(value: Element) { super.init(ReplayBuffer(holding: value)) }

  /// The element accepted last.
  ///
  /// - Throws: the error that the subject ended with; `RxError.disposed` once it was disposed.
  public func value() throws -> Element {
    let (last, error) = broadcast.withReplayBuffer { ($0.last, $0.termination?.error) }
    if let error { throw error }
    guard let last else { preconditionFailure("A behavior subject always has a value.") }
    return last
  }

  /// The subject as an observer.
  public func asObserver() -> BehaviorSubject<Element> { self }
}

// Unchecked: as its superclass.
extension BehaviorSubject: @unchecked Sendable where Element: Sendable {}
