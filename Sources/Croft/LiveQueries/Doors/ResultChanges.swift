/// The changes of a query's result, one after the other.
///
/// ```swift
/// for await change in store.changes(of: TodoItem.where { !$0.isDone }) {
///   show(change.after)
/// }
/// ```
/// The first change is there at once and says what the result is. Each later one leads from the
/// result that was handed out before to the one of now: who asks late gets one change for all that
/// happened meanwhile. It ends when its task is cancelled, and when the result cannot be read;
/// ``error`` tells the two apart.
///
/// Threads: any. Each iterator starts with a first change of its own.
public struct ResultChanges<M: Model>: AsyncSequence, Sendable {
  /// A change of the result.
  public typealias Element = ResultChange<M>

  private let store: Store
  private let query: Query<M>
  private let fields: [Int]?
  private let failure = FailureBox()

  init(_ query: Query<M>, _ fields: [Int]?, of store: Store) {
    self.store = store
    self.query = query
    self.fields = fields
  }

  /// What kept the result from being read, and ended an iteration; nil where nothing did.
  public var error: (any Error)? { failure.error }

  /// Begins to observe.
  public func makeAsyncIterator() -> ChangeIterator<ResultChange<M>> {
    let observation = store.observation(of: query, fields, .iterator, failure)
    return ChangeIterator(observation, .query(query.core, M.shape, observation), of: store)
  }
}
