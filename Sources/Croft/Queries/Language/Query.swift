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
  /// The columns of whose changes observers are told; nil for all.
  var observedFields: [Int]?

  init(_ condition: ConditionTree, order: [SortKey] = []) {
    core.condition = condition
    core.order = order
    core.plans = KeptPlans(PlanCache())
  }

  init(_ core: QueryCore) { self.core = core }

  /// A copy that asks for something else, and so has plans of its own.
  func changed(_ change: (inout QueryCore) -> Void) -> Query<M> {
    var query = self
    change(&query.core)
    query.core.plans = KeptPlans(PlanCache())
    return query
  }

  /// The query of the first object alone, for which an index in its order is read no further.
  ///
  /// It keeps its plans in the query's cache.
  @usableFromInline var _first: Query<M> {
    var query = self
    query.core.limit = core.limit == 0 ? 0 : 1
    return query
  }

  /// Narrows the query to objects for which this condition holds as well.
  ///
  /// - Parameter condition: Makes the condition from the model's columns.
  public func `where`<C: ConditionConvertible<M>>(_ condition: (QueryColumn<M, M>) -> C) -> Query<M>
  {
    let narrower = condition(QueryColumn(nil)).condition.tree
    return changed { $0.condition = .both($0.condition, narrower) }
  }

  /// Sets the order: the first key decides, and the next one where values are equal.
  ///
  /// - Parameter keys: Key paths such as `\.createdAt` and `\.priority.descending`.
  /// - Returns: The ordered query; an earlier order is replaced.
  public func order(by keys: KeyPath<SortRoot<M>, SortKey>...) -> Query<M> {
    changed { $0.order = keys.map { SortRoot<M>()[keyPath: $0] } }
  }

  /// Sets the order by expressions: the first key decides, and the next one where values are equal.
  ///
  /// ```swift
  /// Session.all.order { [$0.startedAt.start(of: .day, in: .current).descending, $0.pages.ascending] }
  /// ```
  ///
  /// - Returns: The ordered query; an earlier order is replaced.
  public func order(by keys: (QueryColumn<M, M>) -> [SortKey]) -> Query<M> {
    changed { $0.order = keys(QueryColumn(nil)) }
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
    changed { $0.distinct = keys.map { SortRoot<M>()[keyPath: $0].path } }
  }

  /// Keeps at most `count` objects, after skipping `offset`.
  ///
  /// - Parameters:
  ///   - count: The most objects; not negative.
  ///   - offset: How many objects are skipped first; not negative.
  /// - Returns: The limited query; an earlier limit is replaced.
  public func limit(_ count: Int, offset: Int = 0) -> Query<M> {
    precondition(count >= 0 && offset >= 0, "limit and offset are counts: use 0 or more.")
    return changed { ($0.limit, $0.offset) = (count, offset) }
  }
}

extension Model {
  /// All objects, by primary key.
  public static var all: Query<Self> { Query(.constant(true)) }

  /// The objects for which a condition holds.
  ///
  /// - Parameter condition: Makes the condition from the model's columns.
  /// - Returns: A query by primary key, to be ordered and limited.
  public static func `where`<C: ConditionConvertible<Self>>(
    _ condition: (QueryColumn<Self, Self>) -> C
  ) -> Query<Self> {
    Query(condition(QueryColumn(nil)).condition.tree)
  }

  /// All objects in an order: the first key decides, and the next one where values are equal.
  ///
  /// - Parameter keys: Key paths such as `\.createdAt` and `\.priority.descending`.
  public static func order(by keys: KeyPath<SortRoot<Self>, SortKey>...) -> Query<Self> {
    Query(.constant(true), order: keys.map { SortRoot<Self>()[keyPath: $0] })
  }

  /// All objects in the order of expressions: a later key decides where earlier values are equal.
  public static func order(by keys: (QueryColumn<Self, Self>) -> [SortKey]) -> Query<Self> {
    all.order(by: keys)
  }
}

// What programs write for arrays, and what to write for queries instead.

extension Query {
  /// Not available: a query has conditions, which the store evaluates.
  @available(
    *, unavailable, renamed: "where(_:)",
    message: "write where { $0.title == \"x\" }, and fetch the query for its objects"
  )
  public func filter(_ isIncluded: (M) throws -> Bool) -> Query<M> { self }

  /// Not available: key paths give a query's order.
  @available(
    *, unavailable, renamed: "order(by:)",
    message: "write order(by: \\.title) or order(by: \\.title.descending)"
  )
  public func sorted(by areInIncreasingOrder: (M, M) throws -> Bool) -> Query<M> { self }

  /// Not available: key paths give a query's order.
  @available(
    *, unavailable, renamed: "order(by:)",
    message: "write order(by: \\.title) or order(by: \\.title.descending)"
  )
  public func sorted(by keys: KeyPath<SortRoot<M>, SortKey>...) -> Query<M> { self }
}

extension Model {
  /// Not available: a query has conditions, which the store evaluates.
  @available(
    *, unavailable, renamed: "where(_:)",
    message: "write where { $0.title == \"x\" }, and fetch the query for its objects"
  )
  public static func filter(_ isIncluded: (Self) throws -> Bool) -> Query<Self> { all }

  /// Not available: key paths give a query's order.
  @available(
    *, unavailable, renamed: "order(by:)",
    message: "write order(by: \\.title) or order(by: \\.title.descending)"
  )
  public static func sorted(by areInIncreasingOrder: (Self, Self) throws -> Bool) -> Query<Self> {
    all
  }

  /// Not available: key paths give a query's order.
  @available(
    *, unavailable, renamed: "order(by:)",
    message: "write order(by: \\.title) or order(by: \\.title.descending)"
  )
  public static func sorted(by keys: KeyPath<SortRoot<Self>, SortKey>...) -> Query<Self> { all }
}

/// A query without its model's type.
@usableFromInline
struct QueryCore: Hashable, Sendable {
  var condition = ConditionTree.constant(true)
  var order: [SortKey] = []
  /// The columns of whose equal values only the first row in order is kept.
  var distinct: [ColumnPath] = []
  var limit: Int?
  var offset = 0
  /// The plans that were made for it, where it is kept and ran before.
  var plans = KeptPlans()

  @usableFromInline init() {}
}

/// A query whose objects are fetched with the objects that one of their properties refers to.
///
/// ``Query/including(_:)->IncludingQuery<M,Target,Target>`` makes it. `Included` is the other model, or an
/// optional of it where the property is optional.
public struct IncludingQuery<M: Model, Target: Model, Included: Sendable>: Sendable {
  let query: Query<M>
  /// The property's value.
  let reference: @Sendable (M) -> Ref<Target>?
  /// Makes the second part of the pair from the object that was found.
  let include: @Sendable (Target?) throws -> Included
}

extension Query {
  /// Fetches each object with the one that a property refers to.
  ///
  /// ```swift
  /// let pairs = try store.fetch(TodoItem.where { !$0.isDone }.including(\.group))
  /// ```
  ///
  /// - Returns: A query for `fetch`, which returns pairs.
  public func including<Target: Model>(
    _ reference: any KeyPath<M, Ref<Target>> & Sendable
  ) -> IncludingQuery<M, Target, Target> {
    IncludingQuery(
      query: self, reference: { $0[keyPath: reference] },
      include: { target in
        guard let target else {
          throw StoreError.corrupt(
            model: M._schema.erased.name, key: nil,
            reason: "a reference leads to no \(Target._schema.erased.name)")
        }
        return target
      })
  }

  /// Fetches each object with the one that an optional property refers to, if it refers to one.
  public func including<Target: Model>(
    _ reference: any KeyPath<M, Ref<Target>?> & Sendable
  ) -> IncludingQuery<M, Target, Target?> {
    IncludingQuery(query: self, reference: { $0[keyPath: reference] }, include: { $0 })
  }
}
