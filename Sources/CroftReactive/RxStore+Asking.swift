public import Croft
public import Reactive

/// Without a scheduler they block neither the subscriber nor a cooperative thread, and emit the result in a
/// task. With one they read, write and emit in an action of the scheduler, whose thread is blocked until
/// the store has finished: give them one whose thread may be blocked, such as that of a dispatch queue, or
/// one of virtual time, with which a test knows the time of each result.
///
/// ```swift
/// let found = texts
///   .debounce(.milliseconds(300), scheduler: scheduler)
///   .flatMapLatest { text in
///     store.rx.fetch(Book.where { $0.title.contains(text) }, on: scheduler)
///   }
/// ```
extension RxStore {
  /// Reads within one consistent view of the store, when subscribed.
  ///
  /// - Parameters:
  ///   - scheduler: Runs the closure; nil for a task.
  ///   - body: Reads from the store.
  /// - Returns: The closure's result; the closure does not run if the subscription is disposed
  ///   first.
  public func read<R: Sendable>(
    on scheduler: (any ImmediateSchedulerType)? = nil,
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) -> Single<R> {
    answer(on: scheduler, { try $0.read(body) }, { try await $0.read(body) })
  }

  /// Changes the store, when subscribed: all that the closure does, or nothing when it throws.
  ///
  /// Every subscription is a write of its own. The result is emitted when the changes are as safe
  /// as the store's durability says; writes that wait at the same time share one commit.
  ///
  /// - Parameters:
  ///   - scheduler: Runs the closure; it must not run another write of this store meanwhile. Nil for a task.
  ///   - body: Changes the store.
  /// - Returns: The closure's result. The closure does not run if the subscription is disposed
  ///   first; once it has started, its changes are committed.
  public func write<R: Sendable>(
    on scheduler: (any ImmediateSchedulerType)? = nil,
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) -> Single<R> {
    answer(on: scheduler, { try $0.write(body) }, { try await $0.write(body) })
  }

  /// Fetches what is requested once, when subscribed.
  ///
  /// - Parameters:
  ///   - request: A query, an aggregate, an object, or another request.
  ///   - scheduler: Runs the fetch; nil for a task.
  /// - Returns: What `Store.fetch` returns.
  public func fetch<Request: StoreRequest>(
    _ request: Request, on scheduler: (any ImmediateSchedulerType)? = nil
  ) -> Single<Request.Fetched> where Request.Fetched: Sendable {
    answer(on: scheduler, { try $0.fetch(request) }, { try await $0.fetch(request) })
  }

  /// Reads or writes the store once for each subscription.
  private func answer<R: Sendable>(
    on scheduler: (any ImmediateSchedulerType)?, _ ask: @escaping @Sendable (Store) throws -> R,
    _ askInTask: @escaping @Sendable (Store) async throws -> R
  ) -> Single<R> {
    guard let scheduler else { return .create { [store] in try await askInTask(store) } }
    return .deferred { [store] in .just(try ask(store)) }.subscribe(on: scheduler)
  }
}
