/// The commits of a store, one after the other, from the moment they are iterated.
///
/// ```swift
/// for await commit in store.commits {
///   for delta in try commit.changes(of: TodoItem.self) ?? [] { index(delta) }
/// }
/// ```
/// Each commit comes once. Who is slower than the writers gets the oldest ones put together as
/// one, which says that something changed and not what.
///
/// Threads: any. Each iterator observes by itself.
public struct Commits: AsyncSequence, Sendable {
  /// A commit.
  public typealias Element = Commit

  private let store: Store
  private let failure = FailureBox()

  init(of store: Store) { self.store = store }

  /// What kept the store from being read, and ended an iteration; nil where nothing did.
  public var error: (any Error)? { failure.error }

  /// Begins to observe.
  public func makeAsyncIterator() -> ChangeIterator<Commit> {
    let observation = CommitObservation(
      store.live.makeNumber(), onFailure: store.failureHandler(of: nil, failure))
    return ChangeIterator(observation, of: store)
  }
}

extension Store {
  /// The commits from now on, with what each did to the objects of every model.
  ///
  /// While somebody iterates them, the rows of all models are noted at every write.
  public var commits: Commits { Commits(of: self) }
}
