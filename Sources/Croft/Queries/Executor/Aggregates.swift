/// An aggregate of the objects of each group; see `Query.grouped`.
public struct Aggregate<M: Model, Value: Sendable>: Sendable {
  let accumulators: AccumulatorMaker<Value>
}

extension Aggregate where Value == Int {
  /// How many objects there are.
  public static var count: Aggregate<M, Int> { Aggregate(accumulators: .count()) }
}

extension Aggregate {
  /// The sum of a property; nil values are left out.
  ///
  /// The query throws ``StoreError/overflow(model:field:)`` where the sum of integers does not fit.
  public static func sum<V: Storable>(_ property: KeyPath<M, V>) -> Self
  where V.Unwrapped: Summable, Value == V.Unwrapped.Sum { sum { $0[property] } }

  /// The sum of an expression; nil values are left out.
  ///
  /// The query throws ``StoreError/overflow(model:field:)`` where the sum of integers does not fit.
  public static func sum<V: Storable>(_ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>)
    -> Self
  where V.Unwrapped: Summable, Value == V.Unwrapped.Sum {
    let path = expression(QueryColumn(nil)).path
    return Aggregate(
      accumulators: .total(of: path) { total in
        guard let sum = V.Unwrapped._sum(of: total) else {
          throw StoreError.overflow(model: M._schema.erased.name, field: path.name)
        }
        return sum
      })
  }

  /// The average of a property, or nil where no object has a value.
  public static func average<V: Storable>(_ property: KeyPath<M, V>) -> Self
  where V.Unwrapped: Summable, Value == Double? { average { $0[property] } }

  /// The average of an expression, or nil where it has a value for no object.
  public static func average<V: Storable>(_ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>)
    -> Self
  where V.Unwrapped: Summable, Value == Double? {
    Aggregate(
      accumulators: .total(of: expression(QueryColumn(nil)).path) { V.Unwrapped._average(of: $0) })
  }

  /// The smallest value of a property, or nil where no object has one; NaN is none.
  public static func min<V: OrderedStorable>(_ property: KeyPath<M, V>) -> Self
  where Value == V.Unwrapped? { extreme(of: QueryColumn(nil)[property], isGreatest: false) }

  /// The smallest value of an expression, or nil where it has none; NaN is none.
  public static func min<V: OrderedStorable>(_ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>)
    -> Self
  where Value == V.Unwrapped? { extreme(of: expression(QueryColumn(nil)), isGreatest: false) }

  /// The greatest value of a property, or nil where no object has one; NaN is none.
  public static func max<V: OrderedStorable>(_ property: KeyPath<M, V>) -> Self
  where Value == V.Unwrapped? { extreme(of: QueryColumn(nil)[property], isGreatest: true) }

  /// The greatest value of an expression, or nil where it has none; NaN is none.
  public static func max<V: OrderedStorable>(_ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>)
    -> Self
  where Value == V.Unwrapped? { extreme(of: expression(QueryColumn(nil)), isGreatest: true) }

  private static func extreme<V: OrderedStorable>(of column: QueryColumn<M, V>, isGreatest: Bool)
    -> Self
  where Value == V.Unwrapped? {
    Aggregate(
      accumulators: .extreme(of: column.path, as: V.self, isGreatest: isGreatest))
  }
}

extension OrderedStorable {
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

extension QueryColumn where M: Model, Value == M {
  /// The column of a stored property, by its key path.
  subscript<V: Storable>(property: KeyPath<M, V>) -> QueryColumn<M, V> {
    QueryColumn<M, V>(ColumnPathBuilder(property, behind: nil))
  }
}

extension StoredValue {
  /// Whether an extreme passes over the value: nil and NaN.
  var isNothing: Bool { self == .none || isNotANumber }
}

extension QueryCore {
  /// The query without its order, where that cannot change which objects it has.
  ///
  /// An order by relevance without a search is kept, because a query with it is an error.
  /// By primary key sums of floating point numbers are the same whatever the plan.
  var forAggregates: QueryCore {
    var query = self
    if limit == nil, offset == 0, distinct.isEmpty, !lacksSearch { query.order = [] }
    return query
  }

  /// A query of only the object with the extreme value, where an order finds it; else the same.
  func narrowed(
    to path: ColumnPath, _ storage: StorageType, isGreatest: Bool
  ) -> QueryCore {
    var query = self
    guard path.ownPlace != nil, limit == nil, offset == 0, distinct.isEmpty, !lacksSearch else {
      return query
    }
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
