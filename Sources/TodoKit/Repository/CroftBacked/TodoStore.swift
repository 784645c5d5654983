import Croft
import Dispatch
import Reactive

/// The store as the repository uses it: it throws this module's errors, and all who observe it are
/// told on one queue, one after the other.
///
/// Apart from the repository, so that an observer keeps the store and not both.
///
/// Threads: any.
struct TodoStore: Sendable {
  private let store: Store
  private let queue = DispatchQueue(label: "todokit.repository")

  /// Takes a store that a closure opens.
  ///
  /// - Throws: ``TodoError/storage(_:)`` with what the closure throws.
  init(opening store: () throws -> Store) throws {
    self.store = try translating(store)
  }

  /// Reads in one transaction.
  func read<Value>(_ body: (inout ReadTransaction) throws -> Value) throws -> Value {
    try translating { try store.read(body) }
  }

  /// Reads in one transaction without blocking.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) async throws -> Value {
    try await translating { try await store.read(body) }
  }

  /// Writes in one transaction.
  func write<Value>(_ body: (inout WriteTransaction) throws -> Value) throws -> Value {
    try translating { try store.write(body) }
  }

  /// Writes in one transaction without blocking.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await translating { try await store.write(body) }
  }
}

extension TodoStore {
  /// What is read on the subscriber's thread, and what follows from it.
  ///
  /// - Parameter follow: Makes, of the value read, what the observer is told: first that value.
  func live<First: Sendable, Value>(
    _ read: @escaping @Sendable (inout ReadTransaction) throws -> First,
    then follow: @escaping @Sendable (First) -> Observable<Value>
  ) -> Observable<Value> {
    .deferred { follow(try self.read(read)) }
  }

  /// What is read now, and again whenever something has changed; equal values are not repeated.
  ///
  /// - Parameter changes: What may change the value; each begins by saying what there is, so
  ///   that no commit is lost between the first read and the beginning.
  func reread<Value: Equatable & Sendable>(
    after changes: Observable<Void>...,
    by read: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) -> Observable<Value> {
    live(read) { first in
      Observable<Void>.merge(changes).map { try self.read(read) }.startWith(first)
    }.distinctUntilChanged()
  }

  /// The changes of a query's result, the first of which says what it is.
  func changes<M: Model>(of query: Query<M>) -> Observable<ResultChange<M>> {
    told { store, queue, onError, onChange in
      store.observe(query, on: queue, onError: onError, onChange)
    }
  }

  /// The changes of a query's sections, the first of which says what they are.
  func changes<M: Model, Key: Ordered>(
    of query: SectionedQuery<M, Key>
  ) -> Observable<SectionedChange<M, Key>> {
    told { store, queue, onError, onChange in
      store.observe(query, on: queue, onError: onError, onChange)
    }
  }

  /// The changes of one object, the first of which says what there is.
  func changes<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey
  ) -> Observable<ObjectChange<M>> where M.PrimaryKey: Sendable {
    told { store, queue, onError, onChange in
      store.observe(model, key, on: queue, onError: onError, onChange)
    }
  }

  /// What an observation tells on the queue, until it fails or is disposed of.
  private func told<Change: Sendable>(
    _ observe:
      @escaping @Sendable (
        Store, DispatchQueue, @escaping @Sendable (any Error) -> Void,
        @escaping @Sendable (Change) -> Void
      ) -> ObservationToken
  ) -> Observable<Change> {
    .create { [store, queue] observer in
      let token = observe(
        store, queue, { observer.onError(translated($0)) }, { observer.onNext($0) })
      return Disposables.create { token.cancel() }
    }
  }
}

/// Keeps what the store throws as the cause of one of this module's errors.
private func translating<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch { throw translated(error) }
}

/// Does for an asynchronous body what its twin does for a plain one.
private func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
  do { return try await body() } catch { throw translated(error) }
}

/// A cancelled task has not failed, so its error passes, as this module's own do.
private func translated(_ error: any Error) -> any Error {
  error is TodoError || error is CancellationError ? error : TodoError.storage(error)
}
