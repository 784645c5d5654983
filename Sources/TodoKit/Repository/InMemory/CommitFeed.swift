import Reactive

/// Tells observers of tables in memory after each commit that it is time to read again.
///
/// The relay does the hard part: it hands a new observer the current state first,
/// neither loses nor repeats a commit that happens meanwhile, delivers one event
/// after another, queues those that are raised inside a delivery, and calls out
/// without a lock.
///
/// Threads: any.
struct CommitFeed: Sendable {
  private let commits = BehaviorRelay<Void>(value: ())

  /// Says that a commit has happened; call it after the commit, holding no lock.
  ///
  /// - Complexity: O(1) while nobody observes, else one read for each observer.
  func publish() {
    commits.accept(())
  }

  /// What `read` gives, now and whenever a commit changed it.
  ///
  /// - Parameter read: Reads the value; it must not hold on to who owns this feed, or an
  ///   observer that is never disposed of keeps that owner, and its store, for ever.
  func values<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable () throws -> Value
  ) -> Observable<Value> {
    commits.map { _ in try read() }.distinctUntilChanged()
  }
}
