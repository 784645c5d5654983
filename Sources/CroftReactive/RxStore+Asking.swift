public import Croft
public import Reactive

extension RxStore {
  /// Reads within one consistent view of the store, when subscribed.
  ///
  /// Threads: blocks neither the subscriber nor a cooperative thread; emits the result in a task.
  ///
  /// - Parameter body: Reads from the store.
  /// - Returns: The closure's result; the closure does not run if the subscription is disposed
  ///   first.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) -> Single<R> {
    .create { [store] in try await store.read(body) }
  }

  /// Changes the store, when subscribed: all that the closure does, or nothing when it throws.
  ///
  /// Every subscription is a write of its own. The result is emitted when the changes are as safe
  /// as the store's durability says; writes that wait at the same time share one commit.
  ///
  /// Threads: blocks neither the subscriber nor a cooperative thread; emits the result in a task.
  ///
  /// - Parameter body: Changes the store.
  /// - Returns: The closure's result. The closure does not run if the subscription is disposed
  ///   first; once it has started, its changes are committed.
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

/// Reads and writes on a scheduler: with a virtual one a test knows the time of each result.
///
/// ```swift
/// let found = texts
///   .debounce(.milliseconds(300), scheduler: scheduler)
///   .flatMapLatest { text in
///     store.rx.fetch(Book.where { $0.title.contains(text) }, on: scheduler)
///   }
/// ```
/// They block the thread of the scheduler until the store has finished, so an application should
/// give them one whose thread may be blocked, such as a scheduler of a dispatch queue.
extension RxStore {
  /// Reads within one consistent view of the store, on a scheduler.
  ///
  /// Threads: reads and emits in an action of the scheduler, whose thread is blocked meanwhile.
  ///
  /// - Parameters:
  ///   - scheduler: Runs the closure.
  ///   - body: Reads from the store.
  /// - Returns: The closure's result; the closure does not run if the subscription is disposed
  ///   first.
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
  /// Threads: writes and emits in an action of the scheduler, whose thread is blocked until the
  /// changes are as safe as the store's durability says.
  ///
  /// - Parameters:
  ///   - scheduler: Runs the closure; it must not run another write of this store meanwhile.
  ///   - body: Changes the store.
  /// - Returns: The closure's result. The closure does not run if the subscription is disposed
  ///   first; once it has started, its changes are committed.
  public func write<R: Sendable>(
    on scheduler: any ImmediateSchedulerType,
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) -> Single<R> {
    answer(on: scheduler) { try $0.write(body) }
  }

  /// Fetches a query's objects once, on a scheduler.
  ///
  /// Threads: reads and emits in an action of the scheduler, whose thread is blocked meanwhile.
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
  /// Threads: counts and emits in an action of the scheduler, whose thread is blocked meanwhile.
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

  /// Reads or writes the store in an action of a scheduler, once for each subscription.
  private func answer<R: Sendable>(
    on scheduler: any ImmediateSchedulerType, _ ask: @escaping @Sendable (Store) throws -> R
  ) -> Single<R> {
    .deferred { [store] in .just(try ask(store)) }.subscribe(on: scheduler)
  }
}
