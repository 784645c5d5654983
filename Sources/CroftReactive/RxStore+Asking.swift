public import Croft
public import Reactive

extension RxStore {
  /// Reads within one consistent view of the store, when subscribed.
  ///
  /// Threads: neither blocks the subscriber nor a cooperative thread; answers in a task.
  ///
  /// - Parameter body: What to read.
  /// - Returns: What the closure returns; disposing before it starts keeps it from running.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) -> Single<R> {
    .create { [store] in try await store.read(body) }
  }

  /// Changes the store, when subscribed: all that the closure does, or nothing when it throws.
  ///
  /// Every subscription is a write of its own. The answer comes when the changes are as safe as the
  /// store's durability says; writes that wait at the same time share one commit.
  ///
  /// Threads: neither blocks the subscriber nor a cooperative thread; answers in a task.
  ///
  /// - Parameter body: What to change.
  /// - Returns: What the closure returns. Disposing before it starts keeps it from running; one
  ///   that has started is committed.
  public func write<R: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) -> Single<R> {
    .create { [store] in try await store.write(body) }
  }

  /// Fetches a query's objects once, when subscribed.
  ///
  /// - Parameter query: The query.
  /// - Returns: The objects in the query's order.
  public func fetch<M: Model>(_ query: Query<M>) -> Single<[M]> {
    .create { [store] in try await store.fetch(query) }
  }

  /// Counts a query's objects once, when subscribed.
  ///
  /// - Parameter query: The query.
  /// - Returns: How many there are.
  public func count<M: Model>(_ query: Query<M>) -> Single<Int> {
    .create { [store] in try await store.count(query) }
  }
}
