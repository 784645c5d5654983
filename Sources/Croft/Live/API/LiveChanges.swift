/// Changes as an asynchronous sequence: of a query's result, with or without sections, or commits.
///
/// ```swift
/// for await change in store.changes(of: TodoItem.where { !$0.isDone }) {
///   show(change.after)
/// }
/// ```
/// The first change of a result is there at once and says what it is. Each later one leads from the
/// result that was handed out before to the one of now: who asks late gets one change for all that
/// happened meanwhile. The sequence ends when its task is cancelled, and when the result cannot be
/// read; ``error`` tells the two apart.
///
/// Threads: any. Each iterator observes by itself, and starts with a first change of its own.
public struct LiveChanges<Change: Sendable>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = Change

  private let begin: @Sendable (FailureBox) -> ChangeIterator<Change>
  private let failure = FailureBox()

  init(_ begin: @escaping @Sendable (FailureBox) -> ChangeIterator<Change>) { self.begin = begin }

  /// What could not be read, and ended an iteration; nil where nothing did.
  public var error: (any Error)? { failure.error }

  /// Begins to observe.
  public func makeAsyncIterator() -> ChangeIterator<Change> { begin(failure) }
}
