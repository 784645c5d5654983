public import Croft
public import Reactive

extension RxStore {
  /// Reads within one consistent view of the store, when subscribed.
  ///
  /// Threads: neither blocks the subscriber nor a cooperative thread; answers in a task.
  ///
  /// - Parameter body: Reads from the store.
  /// - Returns: The closure's result; disposing before it starts keeps it from running.
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
  /// - Parameter body: Changes the store.
  /// - Returns: The closure's result. Disposing before it starts keeps it from running; one
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

/// The same on a scheduler: a test with a virtual one knows the time of each answer.
///
/// ```swift
/// let found = texts
///   .debounce(.milliseconds(300), scheduler: scheduler)
///   .flatMapLatest { text in
///     store.rx.fetch(Book.where { $0.title.contains(text) }, on: scheduler)
///   }
/// ```
/// They wait for the store where the scheduler runs them, so give an application's own a thread
/// that may wait, such as a dispatch queue's.
extension RxStore {
  /// Reads within one consistent view of the store, on a scheduler.
  ///
  /// Threads: reads and answers in an action of the scheduler, whose thread waits meanwhile.
  ///
  /// - Parameters:
  ///   - scheduler: Runs the closure.
  ///   - body: Reads from the store.
  /// - Returns: The closure's result; disposing before it starts keeps it from running.
  public func read<R: Sendable>(
    on scheduler: any ImmediateSchedulerType,
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) -> Single<R> {
    answer(on: scheduler) { try $0.read(body) }
  }

  /// Changes the store on a scheduler: all that the closure does, or nothing when it throws.
  ///
  /// Every subscription is a write of its own.
  ///
  /// Threads: writes and answers in an action of the scheduler, whose thread waits until the
  /// changes are as safe as the store's durability says.
  ///
  /// - Parameters:
  ///   - scheduler: Runs the closure. It runs no other write of this store meanwhile.
  ///   - body: Changes the store.
  /// - Returns: The closure's result. Disposing before it starts keeps it from running; one
  ///   that has started is committed.
  public func write<R: Sendable>(
    on scheduler: any ImmediateSchedulerType,
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) -> Single<R> {
    answer(on: scheduler) { try $0.write(body) }
  }

  /// Fetches a query's objects once, on a scheduler.
  ///
  /// Threads: reads and answers in an action of the scheduler, whose thread waits meanwhile.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - scheduler: Runs the query.
  /// - Returns: The objects in the query's order.
  public func fetch<M: Model>(
    _ query: Query<M>, on scheduler: any ImmediateSchedulerType
  ) -> Single<[M]> {
    answer(on: scheduler) { try $0.fetch(query) }
  }

  /// Counts a query's objects once, on a scheduler.
  ///
  /// Threads: counts and answers in an action of the scheduler, whose thread waits meanwhile.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - scheduler: Runs the query.
  /// - Returns: How many there are.
  public func count<M: Model>(
    _ query: Query<M>, on scheduler: any ImmediateSchedulerType
  ) -> Single<Int> {
    answer(on: scheduler) { try $0.count(query) }
  }

  /// Asks the store in an action of a scheduler, once for each subscription.
  private func answer<R: Sendable>(
    on scheduler: any ImmediateSchedulerType, _ ask: @escaping @Sendable (Store) throws -> R
  ) -> Single<R> {
    .deferred { [store] in .just(try ask(store)) }.subscribe(on: scheduler)
  }
}
