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
  /// The results, in the order of the aggregates; a single one is not a tuple.
  public let values: Values
}

extension ReadableTransaction where Self: ~Copyable {
  /// Passes each row of a query's result to a closure, in the query's order.
  ///
  /// ```swift
  /// try tx.forEachRow(Song.all) { row in total += try row[\.title].utf8.count }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - body: Reads the values that it needs from the row; an error that it throws is rethrown.
  /// - Throws: ``StoreError`` as for `fetch`, except for properties that are not asked for.
  /// - Complexity: The same as `fetch`; only the properties asked for are decoded.
  public mutating func forEachRow<M: Model>(
    _ query: Query<M>, _ body: (borrowing Row<M>) throws -> Void
  ) throws {
    var columns: RowColumns<M>?
    try _forEachRow(query, .all) { row in
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
  ///   - query: The query; its offset and limit apply.
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for `fetch` and ``sum(of:_:)-(KeyPath<M,V>,_)``.
  /// - Complexity: The same as `fetch`, without making objects, and O(*g* log *g*) for *g* groups.
  public mutating func group<M: Model, Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [ResultGroup<Key, (repeat each Value)>] {
    try group(query, ResultKey(Column<M, M>(nil)[property]), repeat each aggregates)
  }

  /// Counts or adds up the objects of a query for each value of an expression, or of several.
  ///
  /// ```swift
  /// let months = try tx.group(
  ///   Session.all, by: { ($0.startedAt.start(of: .month, in: calendar), $0.book.genre) },
  ///   .sum(of: \.pages))
  /// for month in months { print(month.key.0, month.key.1, month.values) }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several; they may
  ///     lead through references.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A group for each combination of values that an object has, ascending by the first
  ///   value, then by the second.
  /// - Throws: As for `fetch` and ``sum(of:_:)-(KeyPath<M,V>,_)``; ``StoreError/schemaMismatch(model:field:reason:)`` for
  ///   a raw value without a case.
  /// - Complexity: The same as `fetch`, without making objects, and O(*g* log *g*) for *g* groups.
  public mutating func group<M: Model, each Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by columns: (Column<M, M>) -> (repeat Column<M, each Key>),
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [ResultGroup<(repeat each Key), (repeat each Value)>] {
    let columns = columns(Column(nil))
    return try group(query, ResultKey(repeat each columns), repeat each aggregates)
  }

  /// Counts or adds up the objects of a query for each value of a property, by one aggregate.
  ///
  /// The compiler knows the type of `values` then, which is that of the aggregate.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - aggregate: The aggregate of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for several aggregates.
  /// - Complexity: The same as for several aggregates.
  public mutating func group<M: Model, Key: Ordered, Value: Sendable>(
    _ query: Query<M>, by property: KeyPath<M, Key>, _ aggregate: AggregateMaker<M, Value>
  ) throws -> [ResultGroup<Key, Value>] {
    try group(query, ResultKey(Column<M, M>(nil)[property]), aggregate)
  }

  /// Counts or adds up the objects of a query for each value of an expression, by one aggregate.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - column: Returns one of the model's columns, or an expression of them.
  ///   - aggregate: The aggregate of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for several aggregates.
  /// - Complexity: The same as for several aggregates.
  public mutating func group<M: Model, Key: Ordered, Value: Sendable>(
    _ query: Query<M>, by column: (Column<M, M>) -> Column<M, Key>,
    _ aggregate: AggregateMaker<M, Value>
  ) throws -> [ResultGroup<Key, Value>] {
    try group(query, ResultKey(column(Column(nil))), aggregate)
  }

  private mutating func group<M: Model, Key: Sendable, each Value: Sendable>(
    _ query: Query<M>, _ groupKey: ResultKey<Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [ResultGroup<Key, (repeat each Value)>] {
    let maker = AccumulatorMaker.groups(
      by: groupKey, repeat (each aggregates).accumulators)
    let groups = maker.make(.addingOnly)
    try _forEachRow(Query<M>(query.core.forAggregates), _RowReading(paths: maker.paths)) { row in
      try groups.add(row.values[...], row.layout)
      return true
    }
    return try groups.value()
  }

  /// Fetches a query's objects in sections, one for each value of a property.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply to all sections together.
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As for `fetch`.
  /// - Complexity: The same as `fetch` in the order of the property and the query's own.
  public mutating func sections<M: Model, Key: Ordered>(
    _ query: Query<M>, by property: KeyPath<M, Key>, isDescending: Bool = false
  ) throws -> [ResultSection<Key, M>] {
    try sections(query, ResultKey(Column<M, M>(nil)[property]), isDescending: isDescending)
  }

  /// Fetches a query's objects in sections, one for each value of an expression, or of several.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply to all sections together.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several; they may
  ///     lead through references.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As for `fetch`.
  /// - Complexity: The same as `fetch` in the order of the expressions and the query's own.
  public mutating func sections<M: Model, each Key: Ordered>(
    _ query: Query<M>, by columns: (Column<M, M>) -> (repeat Column<M, each Key>),
    isDescending: Bool = false
  ) throws -> [ResultSection<(repeat each Key), M>] {
    let columns = columns(Column(nil))
    return try sections(query, ResultKey(repeat each columns), isDescending: isDescending)
  }

  private mutating func sections<M: Model, Key: Sendable>(
    _ query: Query<M>, _ groupKey: ResultKey<Key>, isDescending: Bool
  ) throws -> [ResultSection<Key, M>] {
    var core = query.core
    core.order.insert(
      contentsOf: groupKey.paths.map { SortKey(path: $0, isDescending: isDescending) }, at: 0)
    var sections: [ResultSection<Key, M>] = []
    var (key, code, objects): (Key?, [UInt8], [M]) = (nil, [], [])
    var columns: RowColumns<M>?
    try _forEachRow(Query<M>(core), .whole(and: groupKey.paths)) { row in
      let known = columns ?? RowColumns<M>(row.layout)
      columns = known
      let own = groupKey.code(of: row.values[...])
      if own != code || key == nil {
        if let key { sections.append(ResultSection(key: key, objects: objects)) }
        (key, code, objects) = (try groupKey.key(of: row.values[...], row.layout), own, [])
      }
      objects.append(try known.object(in: row.view))
      return true
    }
    if let key { sections.append(ResultSection(key: key, objects: objects)) }
    return sections
  }
}

/// The properties and expressions by whose values objects are grouped.
struct ResultKey<Key: Sendable>: Sendable {
  let paths: [ColumnPath]
  private let storages: [StorageType]
  private let make: @Sendable (ArraySlice<StoredValue>, [ColumnPath], RecordLayout) throws -> Key
  /// Whether two keys are stored alike.
  let isSame: @Sendable (Key, Key) -> Bool

  /// The key of one column, or the tuple of several.
  init<M: Model, each Part: Ordered>(_ columns: repeat Column<M, each Part>)
  where Key == (repeat each Part) {
    var paths: [ColumnPath] = []
    var storages: [StorageType] = []
    for column in repeat each columns {
      paths.append(column.path)
      storages.append(column.storage)
    }
    self.paths = paths
    self.storages = storages
    make = { values, paths, layout in
      var place = 0
      func part<P: Ordered>(_ type: P.Type) throws -> P {
        defer { place += 1 }
        return try P.value(values[values.startIndex + place], paths[place], layout)
      }
      return (repeat try part((each Part).self))
    }
    isSame = { left, right in
      for (left, right) in repeat (each left, each right) {
        guard isStoredAlike(left, right) else { return false }
      }
      return true
    }
  }

  /// The code of some values: equal values have one, and codes compare as the values do.
  func code(of values: ArraySlice<StoredValue>) -> [UInt8] {
    var code: [UInt8] = []
    for (value, storage) in zip(values, storages) { code += value.code(as: storage) }
    return code
  }

  /// The key of some values.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a raw value without a case.
  func key(of values: ArraySlice<StoredValue>, _ layout: RecordLayout) throws -> Key {
    try make(values, paths, layout)
  }
}

extension Column where Value: Storable {
  /// The type of the values.
  fileprivate var storage: StorageType { Value.storage }
}

extension ReadableStore {
  /// Passes each row of a query's result to a closure, in one read transaction.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - body: Reads the values that it needs from the row; an error that it throws is rethrown.
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
  /// - Throws: As for a read and `group(_:by:_:)` of a transaction.
  public func group<M: Model, Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [ResultGroup<Key, (repeat each Value)>] {
    try read { try $0.group(query, by: property, repeat each aggregates) }
  }

  /// Counts or adds up the objects of a query for each value of an expression, or of several.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A group for each combination of values that an object has, ascending.
  /// - Throws: As for a read and `group(_:by:_:)` of a transaction.
  public func group<M: Model, each Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by columns: (Column<M, M>) -> (repeat Column<M, each Key>),
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) throws -> [ResultGroup<(repeat each Key), (repeat each Value)>] {
    try read { try $0.group(query, by: columns, repeat each aggregates) }
  }

  /// Counts or adds up the objects of a query for each value of a property, by one aggregate.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  ///   - aggregate: The aggregate of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for several aggregates.
  public func group<M: Model, Key: Ordered, Value: Sendable>(
    _ query: Query<M>, by property: KeyPath<M, Key>, _ aggregate: AggregateMaker<M, Value>
  ) throws -> [ResultGroup<Key, Value>] {
    try read { try $0.group(query, by: property, aggregate) }
  }

  /// Counts or adds up the objects of a query for each value of an expression, by one aggregate.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - column: Returns one of the model's columns, or an expression of them.
  ///   - aggregate: The aggregate of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As for several aggregates.
  public func group<M: Model, Key: Ordered, Value: Sendable>(
    _ query: Query<M>, by column: (Column<M, M>) -> Column<M, Key>,
    _ aggregate: AggregateMaker<M, Value>
  ) throws -> [ResultGroup<Key, Value>] {
    try read { try $0.group(query, by: column, aggregate) }
  }

  /// Fetches a query's objects in sections, one for each value of an expression, or of several.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As for a read and `sections(_:by:isDescending:)` of a transaction.
  public func sections<M: Model, each Key: Ordered>(
    _ query: Query<M>, by columns: (Column<M, M>) -> (repeat Column<M, each Key>),
    isDescending: Bool = false
  ) throws -> [ResultSection<(repeat each Key), M>] {
    try read { try $0.sections(query, by: columns, isDescending: isDescending) }
  }

  /// Fetches a query's objects in sections, in one read transaction.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As for a read and `sections(_:by:isDescending:)` of a transaction.
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

  /// Fetches a query's objects in sections of an expression, or of several, off the caller's thread.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func sections<M: Model, each Key: Ordered>(
    _ query: Query<M>,
    by columns: @escaping @Sendable (Column<M, M>) -> (repeat Column<M, each Key>),
    isDescending: Bool = false
  ) async throws -> [ResultSection<(repeat each Key), M>] {
    try await read { try $0.sections(query, by: columns, isDescending: isDescending) }
  }

  /// Counts or adds up the objects of a query for each value of a property, off the caller's thread.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A group for each value that an object has, by the value ascending.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func group<M: Model, Key: Ordered, each Value: Sendable>(
    _ query: Query<M>, by property: any KeyPath<M, Key> & Sendable,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) async throws -> [ResultGroup<Key, (repeat each Value)>] {
    try await read { try $0.group(query, by: property, repeat each aggregates) }
  }

  /// Counts or adds up the objects of a query in groups of an expression, off the caller's thread.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A group for each combination of values that an object has, ascending.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func group<M: Model, each Key: Ordered, each Value: Sendable>(
    _ query: Query<M>,
    by columns: @escaping @Sendable (Column<M, M>) -> (repeat Column<M, each Key>),
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) async throws -> [ResultGroup<(repeat each Key), (repeat each Value)>] {
    try await read { try $0.group(query, by: columns, repeat each aggregates) }
  }
}
