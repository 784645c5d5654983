// Shorthands: one question in one read transaction, and the same off the caller's thread.

extension ReadableStore {
  /// Lends each row of a query's result to a closure, in one read transaction.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - body: Reads what it needs of the row; what it throws, this throws.
  /// - Throws: As for a read and ``ReadableTransaction/forEachRow(_:_:)``.
  public func forEachRow<M: Model>(
    _ query: Query<M>, _ body: (borrowing Row<M>) throws -> Void
  ) throws {
    try read { try $0.forEachRow(query, body) }
  }

  /// Adds up a property of a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The sum, zero of nothing.
  /// - Throws: As for a read and ``ReadableTransaction/sum(of:_:)``.
  public func sum<M: Model, V: Storable>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped.Sum where V.Unwrapped: Summable {
    try read { try $0.sum(of: property, query) }
  }

  /// The average of a property of a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The average, or nil where there is no value.
  /// - Throws: As for a read and ``ReadableTransaction/average(of:_:)``.
  public func average<M: Model, V: Storable>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> Double? where V.Unwrapped: Summable {
    try read { try $0.average(of: property, query) }
  }

  /// The smallest value of a property of a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for a read and ``ReadableTransaction/min(of:_:)``.
  public func min<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try read { try $0.min(of: property, query) }
  }

  /// The greatest value of a property of a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for a read and ``ReadableTransaction/max(of:_:)``.
  public func max<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try read { try $0.max(of: property, query) }
  }

  /// Counts or adds up the objects of a query for each value of a property.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  ///   - aggregates: What to find out of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for a read and ``ReadableTransaction/group(_:by:_:)``.
  public func group<M: Model, Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [Group<Key, (repeat each Value)>] {
    try read { try $0.group(query, by: property, repeat each aggregates) }
  }

  /// Fetches a query's objects in sections, in one read transaction.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As for a read and ``ReadableTransaction/sections(_:by:isDescending:)``.
  public func sections<M: Model, Key: Ordered>(
    _ query: Query<M>, by property: KeyPath<M, Key>, isDescending: Bool = false
  ) throws -> [Section<Key, M>] {
    try read { try $0.sections(query, by: property, isDescending: isDescending) }
  }

  /// Tells how a query would be run.
  ///
  /// - Parameter query: The query.
  /// - Returns: The plan.
  /// - Throws: As for a read and ``ReadableTransaction/explain(_:)``.
  public func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation {
    try read { try $0.explain(query) }
  }

  /// Adds up a property of a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The sum, zero of nothing.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func sum<M: Model, V: Storable>(
    of property: any KeyPath<M, V> & Sendable, _ query: Query<M>
  ) async throws -> V.Unwrapped.Sum where V.Unwrapped: Summable {
    try await read { try $0.sum(of: property, query) }
  }

  /// The average of a property of a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The average, or nil where there is no value.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func average<M: Model, V: Storable>(
    of property: any KeyPath<M, V> & Sendable, _ query: Query<M>
  ) async throws -> Double? where V.Unwrapped: Summable {
    try await read { try $0.average(of: property, query) }
  }

  /// The smallest value of a property of a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func min<M: Model, V: Ordered>(
    of property: any KeyPath<M, V> & Sendable, _ query: Query<M>
  ) async throws -> V.Unwrapped? {
    try await read { try $0.min(of: property, query) }
  }

  /// The greatest value of a property of a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func max<M: Model, V: Ordered>(
    of property: any KeyPath<M, V> & Sendable, _ query: Query<M>
  ) async throws -> V.Unwrapped? {
    try await read { try $0.max(of: property, query) }
  }

  /// Fetches a query's objects in sections, off the caller's thread.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func sections<M: Model, Key: Ordered>(
    _ query: Query<M>, by property: any KeyPath<M, Key> & Sendable, isDescending: Bool = false
  ) async throws -> [Section<Key, M>] {
    try await read { try $0.sections(query, by: property, isDescending: isDescending) }
  }

  /// Tells how a query would be run, off the caller's thread.
  ///
  /// - Parameter query: The query.
  /// - Returns: The plan.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func explain<M: Model>(_ query: Query<M>) async throws -> QueryExplanation {
    try await read { try $0.explain(query) }
  }
}

extension Query {
  /// Tells how the query would be run in a large store, by the indexes that its model declares.
  ///
  /// Without a store nothing is known of its rows: ``QueryExplanation/estimatedRows`` is nil. A store
  /// may choose otherwise, because it is small, or because it knows better which values are rare.
  ///
  /// - Returns: The plan.
  public func explain() -> QueryExplanation {
    Plan(outlining: core, M._schema.erased).explanation
  }

  /// Tells how the query would be run in a store.
  ///
  /// - Parameter store: The store, or a snapshot of one.
  /// - Returns: The plan.
  /// - Throws: As for a read and ``ReadableTransaction/explain(_:)``.
  public func explain(in store: some ReadableStore) throws -> QueryExplanation {
    try store.explain(self)
  }
}
