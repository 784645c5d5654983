extension ReadableTransaction where Self: ~Copyable {
  /// Adds up a property of a query's objects; nil values are left out.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The sum, zero of nothing: an `Int` or `UInt` for integers of any width, a `Double`
  ///   for floating point.
  /// - Throws: ``StoreError/overflow(model:field:)`` where the sum of integers does not fit; else
  ///   as for `count`.
  /// - Complexity: The same as `fetch`, without making objects.
  public mutating func sum<M: Model, V: Storable>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped.Sum where V.Unwrapped: Summable {
    try sum(of: { $0[property] }, query)
  }

  /// Adds up an expression over a query's objects; nil values are left out.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The sum, zero of nothing.
  /// - Throws: As for a property.
  /// - Complexity: The same as `fetch`, without making objects.
  public mutating func sum<M: Model, V: Storable>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped.Sum where V.Unwrapped: Summable {
    let path = expression(Column(nil)).path
    guard let sum = V.Unwrapped._sum(of: try total(of: path, query)) else {
      throw StoreError.overflow(model: M._schema.erased.name, field: path.name)
    }
    return sum
  }

  /// The average of a property of a query's objects; nil values are left out.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The average, or nil where there is no value; that of durations in seconds.
  /// - Throws: As for `count`.
  /// - Complexity: The same as `fetch`, without making objects.
  public mutating func average<M: Model, V: Storable>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> Double? where V.Unwrapped: Summable {
    try average(of: { $0[property] }, query)
  }

  /// The average of an expression over a query's objects; nil values are left out.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The average, or nil where there is no value.
  /// - Throws: As for `count`.
  /// - Complexity: The same as `fetch`, without making objects.
  public mutating func average<M: Model, V: Storable>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> Double? where V.Unwrapped: Summable {
    V.Unwrapped._average(of: try total(of: expression(Column(nil)).path, query))
  }

  /// The smallest value of a property of a query's objects; nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for `fetch`.
  /// - Complexity: O(log *n*) where an index over the property gives it; otherwise that of `fetch`,
  ///   without making objects.
  public mutating func min<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try extreme(of: Column(nil)[property], query, isGreatest: false)
  }

  /// The smallest value of an expression over a query's objects; nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for `fetch`.
  /// - Complexity: The same as `fetch`, without making objects.
  public mutating func min<M: Model, V: Ordered>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try extreme(of: expression(Column(nil)), query, isGreatest: false)
  }

  /// The greatest value of a property of a query's objects; nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for `fetch`.
  /// - Complexity: O(log *n*) where an index over the property gives it; otherwise that of `fetch`,
  ///   without making objects.
  public mutating func max<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try extreme(of: Column(nil)[property], query, isGreatest: true)
  }

  /// The greatest value of an expression over a query's objects; nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for `fetch`.
  /// - Complexity: The same as `fetch`, without making objects.
  public mutating func max<M: Model, V: Ordered>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try extreme(of: expression(Column(nil)), query, isGreatest: true)
  }

  private mutating func total<M: Model>(
    of path: ColumnPath, _ query: Query<M>
  ) throws -> _SummableTotal {
    var total = _SummableTotal()
    try _forEachRow(Query<M>(query.core.forAggregates), _RowReading(paths: [path])) { row in
      total.add(row.values[0])
      return true
    }
    return total
  }

  private mutating func extreme<M: Model, V: Ordered>(
    of column: Column<M, V>, _ query: Query<M>, isGreatest: Bool
  ) throws -> V.Unwrapped? {
    let path = column.path
    let best = AccumulatorMaker.extreme(of: path, as: V.self, isGreatest: isGreatest)
      .make(.addingOnly)
    let narrowed = query.core.narrowed(to: path, V.storage, isGreatest: isGreatest)
    try _forEachRow(Query<M>(narrowed), _RowReading(paths: [path])) { row in
      try best.add(row.values[...], row.layout)
      return true
    }
    return try best.value()
  }
}

extension StoredValue {
  /// Whether an extreme passes over the value: nil and NaN.
  var isNothing: Bool { self == .none || isNotANumber }
}

extension QueryCore {
  /// The query without its order, where that cannot change which objects it has.
  ///
  /// By primary key sums of floating point numbers are the same whatever the plan.
  var forAggregates: QueryCore {
    var query = self
    if limit == nil, offset == 0, distinct.isEmpty { query.order = [] }
    return query
  }

  /// A query of only the object with the extreme value, where an order finds it; else the same.
  fileprivate func narrowed(
    to path: ColumnPath, _ storage: StorageType, isGreatest: Bool
  ) -> QueryCore {
    var query = self
    guard path.ownPlace != nil, limit == nil, offset == 0, distinct.isEmpty else { return query }
    // A comparison leaves out nil, and NaN with it.
    switch storage.kind {
    case .float, .double:
      query.condition = .both(condition, .compare(path, .lessOrEqual, .double(.infinity)))
    case .date: query.condition = .both(condition, .compare(path, .lessOrEqual, .date(.infinity)))
    default: if storage.isOptional { query.condition = .both(condition, .not(.isNil(path))) }
    }
    query.order = [SortKey(path: path, isDescending: isGreatest)]
    query.limit = 1
    return query
  }
}

extension ReadableStore {
  /// Adds up a property of a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query.
  /// - Returns: The sum, zero of nothing.
  /// - Throws: As for a read and ``ReadableTransaction/sum(of:_:)-(KeyPath<M,V>,_)``.
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
  /// - Throws: As for a read and ``ReadableTransaction/average(of:_:)-(KeyPath<M,V>,_)``.
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
  /// - Throws: As for a read and ``ReadableTransaction/min(of:_:)-(KeyPath<M,V>,_)``.
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
  /// - Throws: As for a read and ``ReadableTransaction/max(of:_:)-(KeyPath<M,V>,_)``.
  public func max<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try read { try $0.max(of: property, query) }
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
}

extension ReadableStore {
  /// Adds up an expression over a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The sum, zero of nothing.
  /// - Throws: As for a read and ``ReadableTransaction/sum(of:_:)-(KeyPath<M,V>,_)``.
  public func sum<M: Model, V: Storable>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped.Sum where V.Unwrapped: Summable {
    try read { try $0.sum(of: expression, query) }
  }

  /// The average of an expression over a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The average, or nil where there is no value.
  /// - Throws: As for a read and ``ReadableTransaction/average(of:_:)-(KeyPath<M,V>,_)``.
  public func average<M: Model, V: Storable>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> Double? where V.Unwrapped: Summable {
    try read { try $0.average(of: expression, query) }
  }

  /// The smallest value of an expression over a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for a read and ``ReadableTransaction/min(of:_:)-(KeyPath<M,V>,_)``.
  public func min<M: Model, V: Ordered>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try read { try $0.min(of: expression, query) }
  }

  /// The greatest value of an expression over a query's objects, in one read transaction.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for a read and ``ReadableTransaction/max(of:_:)-(KeyPath<M,V>,_)``.
  public func max<M: Model, V: Ordered>(
    of expression: (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try read { try $0.max(of: expression, query) }
  }

  /// Adds up an expression over a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The sum, zero of nothing.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func sum<M: Model, V: Storable>(
    of expression: @Sendable (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) async throws -> V.Unwrapped.Sum where V.Unwrapped: Summable {
    let column = expression(Column(nil))
    return try await read { try $0.sum(of: { _ in column }, query) }
  }

  /// The average of an expression over a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The average, or nil where there is no value.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func average<M: Model, V: Storable>(
    of expression: @Sendable (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) async throws -> Double? where V.Unwrapped: Summable {
    let column = expression(Column(nil))
    return try await read { try $0.average(of: { _ in column }, query) }
  }

  /// The smallest value of an expression over a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func min<M: Model, V: Ordered>(
    of expression: @Sendable (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) async throws -> V.Unwrapped? {
    let column = expression(Column(nil))
    return try await read { try $0.min(of: { _ in column }, query) }
  }

  /// The greatest value of an expression over a query's objects, off the caller's thread.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression of the columns, such as `{ $0.price * $0.count }`.
  ///   - query: The query.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func max<M: Model, V: Ordered>(
    of expression: @Sendable (Column<M, M>) -> Column<M, V>, _ query: Query<M>
  ) async throws -> V.Unwrapped? {
    let column = expression(Column(nil))
    return try await read { try $0.max(of: { _ in column }, query) }
  }
}

/// Makes an aggregate for each group.
public struct AggregateMaker<M: Model, Value: Sendable>: Sendable {
  let accumulators: AccumulatorMaker<Value>
}

extension AggregateMaker where Value == Int {
  /// How many objects there are.
  public static var count: AggregateMaker<M, Int> { AggregateMaker(accumulators: .count()) }
}

extension AggregateMaker {
  /// The sum of a property; nil values are left out.
  ///
  /// The query throws ``StoreError/overflow(model:field:)`` where the sum of integers does not fit.
  public static func sum<V: Storable>(of property: KeyPath<M, V>) -> Self
  where V.Unwrapped: Summable, Value == V.Unwrapped.Sum { sum { $0[property] } }

  /// The sum of an expression; nil values are left out.
  ///
  /// The query throws ``StoreError/overflow(model:field:)`` where the sum of integers does not fit.
  ///
  /// - Parameter expression: Makes the expression from the model's columns.
  public static func sum<V: Storable>(of expression: (Column<M, M>) -> Column<M, V>) -> Self
  where V.Unwrapped: Summable, Value == V.Unwrapped.Sum {
    let path = expression(Column(nil)).path
    return AggregateMaker(
      accumulators: .total(of: path) { total in
        guard let sum = V.Unwrapped._sum(of: total) else {
          throw StoreError.overflow(model: M._schema.erased.name, field: path.name)
        }
        return sum
      })
  }

  /// The average of a property, or nil where no object has a value.
  public static func average<V: Storable>(of property: KeyPath<M, V>) -> Self
  where V.Unwrapped: Summable, Value == Double? { average { $0[property] } }

  /// The average of an expression, or nil where it has a value for no object.
  ///
  /// - Parameter expression: Makes the expression from the model's columns.
  public static func average<V: Storable>(of expression: (Column<M, M>) -> Column<M, V>) -> Self
  where V.Unwrapped: Summable, Value == Double? {
    AggregateMaker(
      accumulators: .total(of: expression(Column(nil)).path) { V.Unwrapped._average(of: $0) })
  }

  /// The smallest value of a property, or nil where no object has one; NaN is none.
  public static func min<V: Ordered>(of property: KeyPath<M, V>) -> Self
  where Value == V.Unwrapped? { extreme(of: Column(nil)[property], isGreatest: false) }

  /// The smallest value of an expression, or nil where it has none; NaN is none.
  ///
  /// - Parameter expression: Makes the expression from the model's columns.
  public static func min<V: Ordered>(of expression: (Column<M, M>) -> Column<M, V>) -> Self
  where Value == V.Unwrapped? { extreme(of: expression(Column(nil)), isGreatest: false) }

  /// The greatest value of a property, or nil where no object has one; NaN is none.
  public static func max<V: Ordered>(of property: KeyPath<M, V>) -> Self
  where Value == V.Unwrapped? { extreme(of: Column(nil)[property], isGreatest: true) }

  /// The greatest value of an expression, or nil where it has none; NaN is none.
  ///
  /// - Parameter expression: Makes the expression from the model's columns.
  public static func max<V: Ordered>(of expression: (Column<M, M>) -> Column<M, V>) -> Self
  where Value == V.Unwrapped? { extreme(of: expression(Column(nil)), isGreatest: true) }

  private static func extreme<V: Ordered>(of column: Column<M, V>, isGreatest: Bool) -> Self
  where Value == V.Unwrapped? {
    AggregateMaker(
      accumulators: .extreme(of: column.path, as: V.self, isGreatest: isGreatest))
  }
}

extension Ordered {
  /// The value of a path that is not nil, without its optional.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where the type has no such value, as
  ///   an enum may have none for a raw value.
  static func unwrapped(
    _ stored: StoredValue, _ path: ColumnPath, _ layout: RecordLayout
  ) throws -> Unwrapped? {
    (try value(stored, path, layout) as Any) as? Unwrapped
  }

  /// The value of a path.
  ///
  /// - Throws: As ``unwrapped(_:_:_:)``.
  static func value(
    _ stored: StoredValue, _ path: ColumnPath, _ layout: RecordLayout
  ) throws -> Self {
    var decoder = _RecordDecoder(layout: layout)
    guard let value = _value(of: stored, &decoder) else {
      throw StoreError.schemaMismatch(
        model: layout.schema.name, field: path.name,
        reason: "a row holds \(stored.text), which is not of type \(Self.self); add a case for it, "
          + "or change the row")
    }
    return value
  }
}

extension Column where M: Model, Value == M {
  /// The column of a stored property, by its key path.
  subscript<V: Storable>(property: KeyPath<M, V>) -> Column<M, V> {
    Column<M, V>(ColumnPathBuilder(property, behind: nil))
  }
}
