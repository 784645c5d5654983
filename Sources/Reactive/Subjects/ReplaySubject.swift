/// Keeps the latest elements, which a new observer receives before those that are sent later.
///
/// After its end, a new observer receives the elements that are kept, and the end.
public final class ReplaySubject<Element>: BroadcastSubject<Element>, SubjectType {
  private init(capacity: Int) {
    super.init(ReplayBuffer(capacity: capacity, replaysAfterEnd: true))
  }

  /// Makes a subject that keeps the latest elements.
  ///
  /// - Parameter bufferSize: how many it keeps; 0 or more.
  public static func create(bufferSize: Int) -> ReplaySubject<Element> {
    precondition(bufferSize >= 0, "bufferSize counts elements: 0 or more.")
    return ReplaySubject(capacity: bufferSize)
  }

  /// Makes a subject that keeps every element.
  ///
  /// Its memory grows with each of them: use it only where their number is known to be small.
  public static func createUnbounded() -> ReplaySubject<Element> {
    ReplaySubject(capacity: .max)
  }

  /// The subject as an observer.
  public func asObserver() -> ReplaySubject<Element> { self }
}

// Unchecked: as its superclass.
extension ReplaySubject: @unchecked Sendable where Element: Sendable {}

/// How long a shared subscription keeps elements for replay.
public enum SubjectLifetimeScope: Sendable {
  /// While there are observers: the first observer after that receives no earlier elements.
  case whileConnected
  /// As long as the shared observable exists, also after its end.
  case forever
}
