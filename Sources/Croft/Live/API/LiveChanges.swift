import Synchronization

/// An asynchronous sequence of the changes or the values of a request, or of commits.
///
/// ```swift
/// for await change in store.changes(of: TodoItem.where { !$0.isDone }) {
///   show(change.after)
/// }
/// ```
/// The first change has the current result. Each later one is the difference between the result
/// that was delivered last and the current one, so a slow reader gets one change for several
/// commits. The sequence ends when its task is cancelled, or when the result cannot be read; then
/// ``error`` is set.
///
/// Threads: any. Each iterator observes by itself, and starts with a first change of its own.
public struct LiveChanges<Change: Sendable>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = Change

  private let begin: @Sendable (LiveFailure) -> ChangeIterator<Change>
  private let failure = LiveFailure()

  /// What is made of the changes of a target.
  init<C: Sendable>(
    _ target: _ObservationTarget<C>, in store: Store, _ value: @escaping @Sendable (C) -> Change
  ) {
    self.init { ChangeIterator(target, of: store, $0, value) }
  }

  init(_ begin: @escaping @Sendable (LiveFailure) -> ChangeIterator<Change>) { self.begin = begin }

  /// The error that ended an iteration; nil where none did.
  public var error: (any Error)? { failure.error }

  /// Begins to observe.
  public func makeAsyncIterator() -> ChangeIterator<Change> { begin(failure) }
}

/// The iterator of a sequence of changes.
///
/// Each iterator observes by itself, until it is released or its task is cancelled.
///
/// Threads: any; where several tasks wait, one of them gets the change.
public struct ChangeIterator<Change: Sendable>: AsyncIteratorProtocol, Sendable {
  private let token: ObservationToken
  private let wait: @Sendable () async -> Change?

  fileprivate init<C: Sendable>(
    _ target: _ObservationTarget<C>, of store: Store, _ failure: LiveFailure,
    _ value: @escaping @Sendable (C) -> Change
  ) {
    let observation = target.observation(in: store, .iterator, failure)
    let token = ObservationToken(.values(observation, target.sources), of: store)
    self.token = token
    wait = { await observation.next { token.cancel() }.map(value) }
  }

  init(_ observation: CommitObservation, of store: Store) where Change == StoreCommit {
    let token = ObservationToken(.commits(observation), of: store)
    self.token = token
    wait = { await observation.next { token.cancel() } }
  }

  /// Waits for the next change.
  ///
  /// - Returns: The change; nil when the task was cancelled, or the observation failed with
  ///   ``error``.
  public func next() async -> Change? { await wait() }

  /// The error that ended the changes; nil where none did.
  public var error: (any Error)? { token.error }
}

/// The error of the last iterator of a sequence that failed.
///
/// Threads: any; the error has a lock.
final class LiveFailure: Sendable {
  private let stored = Mutex<(any Error)?>(nil)

  var error: (any Error)? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
