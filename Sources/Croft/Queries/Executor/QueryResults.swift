/// One row of a query's result, read a property at a time and only where it is asked for.
///
/// It is in the store's own memory, and is valid only in the closure that it is lent to.
public struct Row<M: Model>: ~Copyable, ~Escapable {
  private let view: RowView
  private let columns: RowColumns<M>

  // The caller lends the row to a closure, which it cannot escape.
  @_lifetime(immortal)
  init(_ view: RowView, _ columns: RowColumns<M>) {
    self.view = view
    self.columns = columns
  }

  /// The value of a stored property; no other is read.
  ///
  /// - Parameter property: The property's key path.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a stored raw value without a
  ///   case; ``StoreError/corrupt(model:key:reason:)``.
  /// - Precondition: The property is stored.
  public subscript<V: Storable>(property: KeyPath<M, V>) -> V {
    get throws { try columns.value(of: property, in: view) }
  }
}

/// A row's bytes, as both kinds of transaction pass them on.
public struct _RowReference {
  let view: RowView
  let layout: RowLayout
}

/// The columns of the properties that a closure reads, each looked up once.
///
/// Confined to one query's run.
final class RowColumns<M: Model> {
  private let layout: RowLayout
  private var decoder: _RowDecoder
  /// Key paths that a program writes are one object each, so their identity finds them.
  private var known: [(property: AnyKeyPath, place: Int)] = []

  init(_ layout: RowLayout) {
    self.layout = layout
    decoder = _RowDecoder(layout: layout)
  }

  func value<V: Storable>(of property: KeyPath<M, V>, in view: RowView) throws -> V {
    try decoder.value(of: layout.columns[place(of: property)], in: view)
  }

  /// The whole object.
  func object(in view: RowView) throws -> M {
    decoder.move(to: view)
    return try M(_row: &decoder)
  }

  private func place(of property: AnyKeyPath) -> Int {
    for entry in known where entry.property === property { return entry.place }
    let place = (property as? PartialKeyPath<M>).flatMap { M._schema.column(at: $0) }
    guard let place else {
      preconditionFailure("\(property) is no stored property of \(M.self): a row has only those.")
    }
    layout.schema.columns[place].refuseJSON(in: layout.schema)
    known.append((property, place))
    return place
  }
}

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

/// An aggregate of one group of a query; see ``ReadableTransaction/group(_:by:_:)``.
public struct Aggregate<M: Model, Value: Sendable> {
  /// Adds a row.
  let add: (_RowReference) throws -> Void
  /// Gives the result.
  let finish: () throws -> Value
}

/// The state of an aggregate; confined to one query's run.
private final class Accumulator<State> {
  var state: State
  init(_ state: State) { self.state = state }
}

/// Makes an aggregate for each group.
public struct AggregateMaker<M: Model, Value: Sendable> {
  let make: () -> Aggregate<M, Value>
}

extension AggregateMaker where Value == Int {
  /// How many objects there are.
  public static var count: AggregateMaker<M, Int> {
    AggregateMaker {
      let total = Accumulator(0)
      return Aggregate(add: { _ in total.state += 1 }, finish: { total.state })
    }
  }
}

extension AggregateMaker {
  /// The sum of a property; nil counts as nothing.
  ///
  /// The query throws ``StoreError/overflow(model:field:)`` where the sum of integers does not fit.
  public static func sum<V: Storable>(of property: KeyPath<M, V>) -> Self
  where V.Unwrapped: Summable, Value == V.Unwrapped.Sum {
    let path = ColumnPath(property)
    return AggregateMaker {
      let total = Accumulator(_Total())
      return Aggregate(add: { try total.state.add($0, path) }) {
        guard let sum = V.Unwrapped._sum(of: total.state) else {
          throw StoreError.overflow(model: M._schema.erased.name, field: path.name)
        }
        return sum
      }
    }
  }

  /// The average of a property, or nil where no object has a value.
  public static func average<V: Storable>(of property: KeyPath<M, V>) -> Self
  where V.Unwrapped: Summable, Value == Double? {
    let path = ColumnPath(property)
    return AggregateMaker {
      let total = Accumulator(_Total())
      return Aggregate(add: { try total.state.add($0, path) }, finish: { total.state.average })
    }
  }

  /// The smallest value of a property, or nil where no object has one; NaN is none.
  public static func min<V: Ordered>(of property: KeyPath<M, V>) -> Self
  where Value == V.Unwrapped? {
    extreme(of: property, isGreatest: false)
  }

  /// The greatest value of a property, or nil where no object has one; NaN is none.
  public static func max<V: Ordered>(of property: KeyPath<M, V>) -> Self
  where Value == V.Unwrapped? {
    extreme(of: property, isGreatest: true)
  }

  private static func extreme<V: Ordered>(of property: KeyPath<M, V>, isGreatest: Bool) -> Self
  where Value == V.Unwrapped? {
    let path = ColumnPath(property)
    return AggregateMaker {
      let total = Accumulator(Extreme<M, V>(property, path, isGreatest: isGreatest))
      return Aggregate(add: { try total.state.add($0) }, finish: { total.state.value })
    }
  }
}

extension _Total {
  fileprivate mutating func add(_ row: _RowReference, _ path: ColumnPath) throws {
    add(try row.layout.columns[path.place].value(in: row.view, row.layout))
  }
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
    try _forEachRow(query) { row in
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
    try _forEachRow(Query<M>(query.core.forAggregates)) { row in
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
    try _forEachRow(Query<M>(core)) { row in
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

extension _RowReference {
  /// The key code of a column: equal values have one.
  fileprivate func code(of path: ColumnPath) throws -> [UInt8] {
    var code = _ByteBuffer()
    try code.appendCode(of: layout.columns[path.place], in: view, layout: layout, cut: nil)
    // Safety: the code is copied while the buffer lives.
    return unsafe [UInt8](code.bytes)
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
