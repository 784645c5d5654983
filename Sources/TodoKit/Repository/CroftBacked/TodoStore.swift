import Croft
import CroftReactive
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
  /// An item list, now and after each commit that changed it.
  func observe<M: Model & Equatable>(_ query: Query<M>) -> Observable<[M]> {
    store.rx.observe(query, on: queue).translatingErrors()
  }

  /// An object, now and after each commit that changed it; nil while there is none.
  func observe<M: Model & Equatable>(
    _ model: M.Type, _ key: M.PrimaryKey
  ) -> Observable<M?> where M.PrimaryKey: Sendable {
    store.rx.observe(model, key, on: queue).translatingErrors()
  }

  /// What a closure reads, now and after each commit that changed the result of a query.
  func observe<each M: Model, Value: Equatable & Sendable>(
    changesOf queries: repeat Query<each M>,
    read body: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) -> Observable<Value> {
    store.rx.observe(on: queue, changesOf: repeat each queries, read: body).translatingErrors()
  }

  /// What a closure reads, and what follows from it and from the changes of a query's sections.
  func observe<First: Sendable, M: Model, Key: Ordered, Value>(
    sections: SectionedQuery<M, Key>,
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> First,
    then next: @escaping @Sendable (First, Observable<SectionedChange<M, Key>>) -> Observable<Value>
  ) -> Observable<Value> {
    store.rx.reading(body) { [store, queue] first in
      next(first, store.rx.changes(of: sections, on: queue))
    }.translatingErrors()
  }
}

extension Observable {
  /// The same elements; an error of the store becomes one of this module's.
  fileprivate func translatingErrors() -> Observable<Element> {
    self.catch { .error(translated($0)) }
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
