extension ReadableTransaction where Self: ~Copyable {
  /// Adds up a property of a query's objects; nil counts as nothing.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The sum, zero of nothing: an `Int` or `UInt` for integers of any width, a `Double`
  ///   for floating point.
  /// - Throws: ``StoreError/overflow(model:field:)`` where the sum of integers does not fit; else
  ///   as for `count`.
  /// - Complexity: As `fetch`, without making objects.
  public mutating func sum<M: Model, V: Storable>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped.Sum where V.Unwrapped: Summable {
    let path = ColumnPath(property)
    guard let sum = V.Unwrapped._sum(of: try total(of: path, query)) else {
      throw StoreError.overflow(model: M._schema.erased.name, field: path.name)
    }
    return sum
  }

  /// The average of a property of a query's objects; nil counts as nothing.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The average, or nil where there is no value.
  /// - Throws: As for `count`.
  /// - Complexity: As `fetch`, without making objects.
  public mutating func average<M: Model, V: Storable>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> Double? where V.Unwrapped: Summable {
    try total(of: ColumnPath(property), query).average
  }

  /// The smallest value of a property of a query's objects; nil and NaN count as nothing.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for `fetch`.
  /// - Complexity: O(log *n*) where an index over the property gives it; else as `fetch`, without
  ///   making objects.
  public mutating func min<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try extreme(of: property, query, isGreatest: false)
  }

  /// The greatest value of a property of a query's objects; nil and NaN count as nothing.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The value, or nil where there is none.
  /// - Throws: As for `fetch`.
  /// - Complexity: O(log *n*) where an index over the property gives it; else as `fetch`, without
  ///   making objects.
  public mutating func max<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>
  ) throws -> V.Unwrapped? {
    try extreme(of: property, query, isGreatest: true)
  }

  private mutating func total<M: Model>(
    of path: ColumnPath, _ query: Query<M>
  ) throws -> _Total {
    var total = _Total()
    try _forEachRow(Query<M>(query.core.forAggregates)) { row in
      total.add(try row.layout.columns[path.place].value(in: row.view, row.layout))
      return true
    }
    return total
  }

  private mutating func extreme<M: Model, V: Ordered>(
    of property: KeyPath<M, V>, _ query: Query<M>, isGreatest: Bool
  ) throws -> V.Unwrapped? {
    let path = ColumnPath(property)
    var best = Extreme<M, V>(property, path, isGreatest: isGreatest)
    try _forEachRow(Query<M>(query.core.narrowed(to: path, V.storage, isGreatest: isGreatest))) {
      row in
      try best.add(row)
      return true
    }
    return best.value
  }
}

/// The smallest or greatest value of a property so far.
struct Extreme<M: Model, V: Ordered> {
  private let property: KeyPath<M, V>
  private let path: ColumnPath
  private let isGreatest: Bool
  private var columns: RowColumns<M>?
  private var code: [UInt8]?
  private(set) var value: V.Unwrapped?

  init(_ property: KeyPath<M, V>, _ path: ColumnPath, isGreatest: Bool) {
    self.property = property
    self.path = path
    self.isGreatest = isGreatest
  }

  mutating func add(_ row: _RowReference) throws {
    let column = row.layout.columns[path.place]
    if try column.value(in: row.view, row.layout).isNothing { return }
    var bytes = _ByteBuffer()
    try bytes.appendCode(of: column, in: row.view, layout: row.layout, cut: nil)
    // Safety: the code is copied while the buffer lives.
    let code = unsafe [UInt8](bytes.bytes)
    if let best = self.code {
      let isBetter =
        isGreatest ? best.lexicographicallyPrecedes(code) : code.lexicographicallyPrecedes(best)
      guard isBetter else { return }
    }
    self.code = code
    let columns = columns ?? RowColumns<M>(row.layout)
    self.columns = columns
    let found: Any = try columns.value(of: property, in: row.view)
    value = found as? V.Unwrapped
  }
}

extension StoredValue {
  /// Whether an extreme passes over the value: nil and NaN.
  fileprivate var isNothing: Bool { self == .none || isNotANumber }
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
    guard limit == nil, offset == 0, distinct.isEmpty else { return query }
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

/// A number that a query can sum.
///
/// Integers of every width sum to `Int` or `UInt`, Float and Double to `Double`: the sum of narrow
/// integers need not fit their own width.
public protocol Summable: Ordered {
  /// The type of the sum.
  associatedtype Sum: Ordered
  /// The sum, or nil where it does not fit.
  static func _sum(of total: _Total) -> Sum?
}

/// The sum and count of the values so far.
public struct _Total: Sendable {
  var integers: Int128 = 0
  var reals: Double = 0
  /// How many values there were; nil is none.
  var count = 0

  init() {}

  mutating func add(_ value: StoredValue) {
    switch value {
    // The sum of 2⁶³ values of 64 bits fits.
    case .int(let value): integers += Int128(value)
    case .uint(let value): integers += Int128(value)
    case .double(let value): reals += value
    default: return
    }
    count += 1
  }

  /// The average, or nil of nothing.
  var average: Double? { count == 0 ? nil : (reals + Double(integers)) / Double(count) }
}

extension Summable where Self: SignedInteger {
  /// The sum as an Int.
  public static func _sum(of total: _Total) -> Int? { Int(exactly: total.integers) }
}

extension Summable where Self: UnsignedInteger {
  /// The sum as a UInt.
  public static func _sum(of total: _Total) -> UInt? { UInt(exactly: total.integers) }
}

extension Summable where Self: BinaryFloatingPoint {
  /// The sum as a Double.
  public static func _sum(of total: _Total) -> Double? { total.reals }
}

extension Int: Summable {}
extension Int8: Summable {}
extension Int16: Summable {}
extension Int32: Summable {}
extension Int64: Summable {}
extension UInt: Summable {}
extension UInt8: Summable {}
extension UInt16: Summable {}
extension UInt32: Summable {}
extension UInt64: Summable {}
extension Float: Summable {}
extension Double: Summable {}

extension ReadableStore {
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
