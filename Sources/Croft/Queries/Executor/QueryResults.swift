/// The objects of a query that have one value of a property.
public struct ResultSection<Key: Sendable, Object: Sendable>: Sendable {
  /// The value.
  public let key: Key
  /// The objects, in the query's order; at least one.
  public let objects: [Object]
}

extension ResultSection: Equatable where Key: Equatable, Object: Equatable {}
extension ResultSection: Hashable where Key: Hashable, Object: Hashable {}

/// One value of a property, with the aggregates of its objects.
public struct ResultGroup<Key: Sendable, Values: Sendable>: Sendable {
  /// The value.
  public let key: Key
  /// The results, in the order they were asked for; one alone is no tuple.
  public let values: Values
}

extension ReadableTransaction where Self: ~Copyable {
  /// Lends each row of a query's result to a closure, in the query's order.
  ///
  /// ```swift
  /// try tx.forEachRow(Song.all) { row in total += try row[\.title].utf8.count }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - body: Reads what it needs of the row; what it throws, this throws.
  /// - Throws: ``StoreError`` as for `fetch`, except for properties that are not asked for.
  /// - Complexity: As `fetch`; only the properties asked for are decoded.
  public mutating func forEachRow<M: Model>(
    _ query: Query<M>, _ body: (borrowing Row<M>) throws -> Void
  ) throws {
    var columns: RowColumns<M>?
    try _forEachRow(query, reading: nil) { row in
      let known = columns ?? RowColumns<M>(row.layout)
      columns = known
      try body(Row(row.view, known))
      return true
    }
  }

  /// Counts or adds up the objects of a query for each value of a property.
  ///
  /// ```swift
  /// for group in try tx.group(Song.all, by: \.genre, .count, .sum(of: \.plays)) {
  ///   print(group.key, group.values.0, group.values.1)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit count too.
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for `fetch` and ``sum(of:_:)``.
  /// - Complexity: As `fetch`, without making objects, and O(*g* log *g*) for *g* groups.
  public mutating func group<M: Model, Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [ResultGroup<Key, (repeat each Value)>] {
    var groups: [[UInt8]: (key: Key, aggregates: (repeat Aggregate<M, each Value>))] = [:]
    let path = ColumnPath(property)
    var columns: RowColumns<M>?
    try _forEachRow(Query<M>(query.core.forAggregates), reading: nil) { row in
      let known = columns ?? RowColumns<M>(row.layout)
      columns = known
      let code = try row.code(of: path)
      let group: (key: Key, aggregates: (repeat Aggregate<M, each Value>))
      if let found = groups[code] {
        group = found
      } else {
        group = (
          try known.value(of: property, in: row.view), (repeat (each aggregates).make())
        )
        groups[code] = group
      }
      for aggregate in repeat each group.aggregates { try aggregate.add(row) }
      return true
    }
    let ordered = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return try ordered.map { _, group in
      ResultGroup(key: group.key, values: (repeat try (each group.aggregates).finish()))
    }
  }

  /// Fetches a query's objects in sections, one for each value of a property.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit count over all sections.
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As for `fetch`.
  /// - Complexity: As `fetch` in the order of the property and the query's own.
  public mutating func sections<M: Model, Key: Ordered>(
    _ query: Query<M>, by property: KeyPath<M, Key>, isDescending: Bool = false
  ) throws -> [ResultSection<Key, M>] {
    let path = ColumnPath(property)
    var core = query.core
    core.order.insert(SortKey(path: path, isDescending: isDescending), at: 0)
    var sections: [ResultSection<Key, M>] = []
    var (key, code, objects): (Key?, [UInt8], [M]) = (nil, [], [])
    var columns: RowColumns<M>?
    try _forEachRow(Query<M>(core), reading: nil) { row in
      let known = columns ?? RowColumns<M>(row.layout)
      columns = known
      let own = try row.code(of: path)
      if own != code || key == nil {
        if let key { sections.append(ResultSection(key: key, objects: objects)) }
        (key, code, objects) = (try known.value(of: property, in: row.view), own, [])
      }
      objects.append(try known.object(in: row.view))
      return true
    }
    if let key { sections.append(ResultSection(key: key, objects: objects)) }
    return sections
  }
}

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

  /// Counts or adds up the objects of a query for each value of a property.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for a read and ``ReadableTransaction/group(_:by:_:)``.
  public func group<M: Model, Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [ResultGroup<Key, (repeat each Value)>] {
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
  ) throws -> [ResultSection<Key, M>] {
    try read { try $0.sections(query, by: property, isDescending: isDescending) }
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
  ) async throws -> [ResultSection<Key, M>] {
    try await read { try $0.sections(query, by: property, isDescending: isDescending) }
  }
}
