/// Waits for one change after the other, for the asynchronous sequences of changes.
///
/// Each iterator observes by itself, from its first change on, and stops when it is gone or its
/// task is cancelled.
///
/// Threads: any; a change goes to one of those that wait for it.
public struct ChangeIterator<Change: Sendable>: AsyncIteratorProtocol, Sendable {
  private let token: ObservationToken
  private let wait: @Sendable () async -> Change?

  init<Version: Sendable>(
    _ observation: ValueObservation<Version, Change>, _ subject: ObserverEntry, of store: Store
  ) {
    let token = ObservationToken(subject, of: store)
    self.token = token
    wait = { await observation.next { token.cancel() } }
  }

  init(_ observation: CommitObservation, of store: Store) where Change == Commit {
    let token = ObservationToken(.commits(observation), of: store)
    self.token = token
    wait = { await observation.next { token.cancel() } }
  }

  /// Waits for the next change.
  ///
  /// - Returns: The change; nil when the task is cancelled, or ``error`` says why there is none.
  public func next() async -> Change? { await wait() }

  /// What kept the result from being read, and ended the changes; nil where nothing did.
  public var error: (any Error)? { token.error }
}
