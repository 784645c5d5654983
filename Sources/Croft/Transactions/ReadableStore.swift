/// A store, or a snapshot of one: what read transactions are made of.
///
/// Threads: any.
public protocol ReadableStore: Sendable {
  /// Reads within one consistent view.
  ///
  /// - Parameter body: What to read; it may fetch any number of times.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; ``StoreError/readersFull(reason:)``.
  func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R

  /// Reads within one consistent view, off the caller's thread.
  ///
  /// - Parameter body: What to read.
  /// - Returns: What the closure returns.
  /// - Throws: As the synchronous read, and `CancellationError` when the task is cancelled
  ///   before the closure starts.
  func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) async throws -> R
}

extension ReadableStore {
  /// Fetches a query's objects, in one read transaction.
  ///
  /// - Parameter query: The query.
  /// - Returns: The objects, in the query's order.
  /// - Throws: ``StoreError``, as for a read and a fetch.
  @inlinable
  public func fetch<M: Model>(_ query: Query<M>) throws -> [M] {
    try read { try $0.fetch(query) }
  }

  /// Fetches the first object of a query, in one read transaction.
  ///
  /// - Parameter query: The query.
  /// - Returns: The object, or nil where none matches.
  /// - Throws: ``StoreError``, as for a read and a fetch.
  @inlinable
  public func first<M: Model>(_ query: Query<M>) throws -> M? {
    try read { try $0.first(query) }
  }

  /// Counts a query's objects, in one read transaction.
  ///
  /// - Parameter query: The query.
  /// - Returns: How many objects it has.
  /// - Throws: ``StoreError``, as for a read and a count.
  public func count<M: Model>(_ query: Query<M>) throws -> Int {
    try read { try $0.count(query) }
  }

  /// Finds one object by its primary key, in one read transaction.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of its primary key.
  /// - Returns: The object, or nil where no object has this key.
  /// - Throws: ``StoreError``, as for a read and a get.
  @inlinable
  public func get<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) throws -> M? {
    try read { try $0.get(model, key) }
  }

  /// Fetches a query's objects, off the caller's thread.
  ///
  /// - Parameter query: The query.
  /// - Returns: The objects, in the query's order.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func fetch<M: Model>(_ query: Query<M>) async throws -> [M] {
    try await read { try $0.fetch(query) }
  }

  /// Fetches the first object of a query, off the caller's thread.
  ///
  /// - Parameter query: The query.
  /// - Returns: The object, or nil where none matches.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func first<M: Model>(_ query: Query<M>) async throws -> M? {
    try await read { try $0.first(query) }
  }

  /// Counts a query's objects, off the caller's thread.
  ///
  /// - Parameter query: The query.
  /// - Returns: How many objects it has.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func count<M: Model>(_ query: Query<M>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// Finds one object by its primary key, off the caller's thread.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of its primary key.
  /// - Returns: The object, or nil where no object has this key.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func get<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) async throws -> M? {
    try await read { try $0.get(model, key) }
  }
}
