/// The objects of a query that have one value of a property.
public struct ResultSection<Key: Sendable, Objects: Sendable>: Sendable {
  /// The value.
  public let key: Key
  /// The objects, in the query's order; at least one.
  ///
  /// An array where they were fetched, and ``LiveResults`` where they are observed.
  public let objects: Objects
}

extension ResultSection: Equatable where Key: Equatable, Objects: Equatable {}
extension ResultSection: Hashable where Key: Hashable, Objects: Hashable {}

extension ResultSection: CustomStringConvertible {
  /// The value, and the objects.
  public var description: String { "\(key): \(objects)" }
}

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
    _ query: Query<M>, _ body: (borrowing QueryRow<M>) throws -> Void
  ) throws {
    var columns: RowColumns<M>?
    try _forEachRow(query, .all) { row in
      let known = columns ?? RowColumns<M>(row.layout)
      columns = known
      try body(QueryRow(row.view, known))
      return true
    }
  }

  /// Fetches a query's objects in sections, one for each value of a property.
  ///
  /// - Parameter query: The query in sections; its offset and limit count in the order of the sections.
  /// - Returns: The sections by their keys; in each, the objects in the query's order.
  /// - Throws: As for `fetch`.
  /// - Complexity: The same as `fetch` in the order of the property and the query's own.
  public mutating func fetch<M: Model, Key: OrderedStorable>(
    _ query: SectionedQuery<M, Key>
  ) throws -> [ResultSection<Key, [M]>] {
    try sections(query.core, ResultKey<Key>(query.core.order[0].path))
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
  public mutating func sections<M: Model, each Key: OrderedStorable>(
    _ query: Query<M>, by columns: (QueryColumn<M, M>) -> (repeat QueryColumn<M, each Key>),
    isDescending: Bool = false
  ) throws -> [ResultSection<(repeat each Key), [M]>] {
    let columns = columns(QueryColumn(nil))
    let key = ResultKey(repeat each columns)
    var core = query.core
    core.order.insert(
      contentsOf: key.paths.map { SortKey(path: $0, isDescending: isDescending) }, at: 0)
    return try sections(core, key)
  }

  /// Fetches the sections of a query whose order begins with their keys.
  private mutating func sections<M: Model, Key: Sendable>(
    _ core: QueryCore, _ groupKey: ResultKey<Key>
  ) throws -> [ResultSection<Key, [M]>] {
    var sections: [ResultSection<Key, [M]>] = []
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
  init<M: Model, each Part: OrderedStorable>(_ columns: repeat QueryColumn<M, each Part>)
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
      func part<P: OrderedStorable>(_ type: P.Type) throws -> P {
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

  /// The key of one column.
  init(_ path: ColumnPath) where Key: OrderedStorable {
    paths = [path]
    storages = [Key.storage]
    make = { values, paths, layout in try Key.value(values[values.startIndex], paths[0], layout) }
    isSame = { isStoredAlike($0, $1) }
  }

  /// The code of some values: equal values have one, and codes compare as the values do.
  func code(of values: ArraySlice<StoredValue>) -> [UInt8] {
    if let value = values.first, storages.count == 1 { return value.code(as: storages[0]) }
    var code: [UInt8] = []
    for (value, storage) in zip(values, storages) { code += value.code(as: storage) }
    return code
  }

  /// The key of some values.
  func key(of values: ArraySlice<StoredValue>, _ layout: RecordLayout) throws -> Key {
    try make(values, paths, layout)
  }
}

extension QueryColumn where Value: Storable {
  fileprivate var storage: StorageType { Value.storage }
}

extension ReadableStore {
  /// Passes each row of a query's result to a closure, in one read transaction.
  ///
  /// - Throws: As for a read and ``ReadableTransaction/forEachRow(_:_:)``.
  public func forEachRow<M: Model>(
    _ query: Query<M>, _ body: (borrowing QueryRow<M>) throws -> Void
  ) throws {
    try read { try $0.forEachRow(query, body) }
  }

  /// Fetches a query's objects in sections, one for each value of an expression, or of several.
  ///
  /// - Throws: As for a read and `sections(_:by:isDescending:)` of a transaction.
  public func sections<M: Model, each Key: OrderedStorable>(
    _ query: Query<M>, by columns: (QueryColumn<M, M>) -> (repeat QueryColumn<M, each Key>),
    isDescending: Bool = false
  ) throws -> [ResultSection<(repeat each Key), [M]>] {
    try read { try $0.sections(query, by: columns, isDescending: isDescending) }
  }

  /// Fetches a query's objects in sections of an expression, or of several, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func sections<M: Model, each Key: OrderedStorable>(
    _ query: Query<M>,
    by columns: @escaping @Sendable (QueryColumn<M, M>) -> (repeat QueryColumn<M, each Key>),
    isDescending: Bool = false
  ) async throws -> [ResultSection<(repeat each Key), [M]>] {
    try await read { try $0.sections(query, by: columns, isDescending: isDescending) }
  }
}
