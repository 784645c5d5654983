/// A choice of a model's objects and their order; a value that can be stored, compared and sent.
///
/// ```swift
/// let urgent = TodoItem.where { !$0.isDone && $0.priority >= .normal }
///   .order(by: \.priority.descending, \.createdAt)
///   .limit(20)
/// ```
///
/// The order is total: ties, and queries without an order, follow the primary key
/// ascending. The plan by which a query is run never changes its result.
public struct Query<M: Model>: Hashable, Sendable {
  @usableFromInline var core = QueryCore()

  init(_ condition: Expression) { core.condition = condition }

  init(_ core: QueryCore) { self.core = core }

  /// Narrows the query to objects for which this condition holds as well.
  ///
  /// - Parameter condition: Given the model's columns, the condition.
  /// - Returns: The narrower query.
  public func `where`<C: ConditionConvertible<M>>(_ condition: (Column<M, M>) -> C) -> Query<M> {
    var query = self
    query.core.condition = .both(
      core.condition, condition(Column(nil)).condition.expression)
    return query
  }

  /// Sets the order: the first key decides, later ones where it ties.
  ///
  /// - Parameter keys: Key paths such as `\.createdAt` and `\.priority.descending`.
  /// - Returns: The ordered query; an earlier order is replaced.
  public func order(by keys: KeyPath<SortRoot<M>, SortKey>...) -> Query<M> {
    var query = self
    query.core.order = keys.map { SortRoot<M>()[keyPath: $0] }
    return query
  }

  /// Keeps only the first of objects with equal values of some properties, in the query's order.
  ///
  /// The others are dropped before offset and limit are counted.
  ///
  /// ```swift
  /// Song.all.order(by: \.plays.descending).distinct(by: \.genre)  // each genre's most played
  /// ```
  ///
  /// - Parameter keys: Key paths of the properties; texts are equal as in Swift, nil equals nil.
  /// - Returns: The narrower query; earlier distinct properties are replaced.
  public func distinct(by keys: KeyPath<SortRoot<M>, SortKey>...) -> Query<M> {
    var query = self
    query.core.distinct = keys.map { SortRoot<M>()[keyPath: $0].path }
    return query
  }

  /// Keeps at most `count` objects, after skipping `offset`.
  ///
  /// - Parameters:
  ///   - count: The most objects; not negative.
  ///   - offset: How many objects are skipped first; not negative.
  /// - Returns: The limited query; an earlier limit is replaced.
  public func limit(_ count: Int, offset: Int = 0) -> Query<M> {
    precondition(count >= 0 && offset >= 0, "limit and offset are counts: use 0 or more.")
    var query = self
    query.core.limit = count
    query.core.offset = offset
    return query
  }
}

extension Model {
  /// All objects, by primary key.
  public static var all: Query<Self> { Query(.constant(true)) }

  /// The objects for which a condition holds.
  ///
  /// - Parameter condition: Given the model's columns, the condition.
  /// - Returns: A query by primary key, to be ordered and limited.
  public static func `where`<C: ConditionConvertible<Self>>(
    _ condition: (Column<Self, Self>) -> C
  ) -> Query<Self> {
    all.where(condition)
  }
}

/// A query without its model's type.
@usableFromInline
struct QueryCore: Hashable, Sendable {
  var condition = Expression.constant(true)
  var order: [SortKey] = []
  /// The columns of whose equal values only the first row in order is kept.
  var distinct: [ColumnPath] = []
  var limit: Int?
  var offset = 0

  @usableFromInline init() {}
}

/// One key of a query's order; written as a key path: `\.priority.descending`.
public struct SortKey: Hashable, Sendable {
  let path: ColumnPath
  let isDescending: Bool

  /// The same property, smallest first and nil before all.
  public var ascending: SortKey { SortKey(path: path, isDescending: false) }
  /// The same property, greatest first and nil behind all.
  public var descending: SortKey { SortKey(path: path, isDescending: true) }
}

/// The root of the key paths that name a query's order.
@dynamicMemberLookup
public struct SortRoot<M: Model>: Sendable {
  /// The ascending order of a stored property.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: Ordered>(dynamicMember property: KeyPath<M, V>) -> SortKey {
    SortKey(path: PathBuilder(property, behind: nil).path, isDescending: false)
  }

  /// A reference or a struct, whose own properties can order.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<M, V>
  ) -> SortPath<V.Unwrapped> {
    SortPath(builder: PathBuilder(property, behind: nil))
  }
}

/// A reference or a struct on a key path that names a query's order.
///
/// Where it is nil, so are its properties.
@dynamicMemberLookup
public struct SortPath<Value>: Sendable {
  let builder: PathBuilder

  /// The ascending order of a property of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: Ordered>(
    dynamicMember property: KeyPath<Target, V>
  ) -> SortKey where Value == Ref<Target> {
    SortKey(path: PathBuilder(property, behind: builder).path, isDescending: false)
  }

  /// A reference or a struct of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> SortPath<V.Unwrapped> where Value == Ref<Target> {
    SortPath<V.Unwrapped>(builder: PathBuilder(property, behind: builder))
  }

  /// The ascending order of a property of the struct.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: Ordered>(dynamicMember property: KeyPath<Value, V>) -> SortKey
  where Value: Embedded {
    SortKey(path: builder.inside(property).path, isDescending: false)
  }

  /// A reference or a struct inside the struct.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<Value, V>
  ) -> SortPath<V.Unwrapped> where Value: Embedded {
    SortPath<V.Unwrapped>(builder: builder.inside(property))
  }
}
