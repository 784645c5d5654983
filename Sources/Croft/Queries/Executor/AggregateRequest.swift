/// An aggregate of a query's objects: a count, a sum, an average, an extreme, or groups.
///
/// ```swift
/// let pages = Session.where { $0.startedAt >= may }.sum(\.pages)
/// print(try store.fetch(pages))
/// let token = store.observe(pages) { print($0) }
/// ```
/// The query's offset and limit apply. Nil values are left out, and NaN of extremes.
public struct AggregateRequest<M: Model, Value: Sendable>: StoreRequest {
  let core: QueryCore
  let maker: AccumulatorMaker<Value>

  init(_ query: Query<M>, _ maker: AccumulatorMaker<Value>) {
    core = query.core.forAggregates
    self.maker = maker
  }

  /// How the aggregate is observed.
  public var _target: _ObservationTarget<Value> {
    let (core, schema, maker) = (core, M.schema, maker)
    return _ObservationTarget(of: schema, isSame: maker.isSame) {
      LiveAggregate(core, schema, maker)
    }
  }

  /// Computes the aggregate.
  public func _fetch(in transaction: inout ReadTransaction) throws -> Value {
    try transaction.fetch(self)
  }
}

extension ReadableTransaction where Self: ~Copyable {
  /// Computes an aggregate of a query's objects.
  ///
  /// ```swift
  /// let pages = try store.read { tx in try tx.fetch(Session.all.sum(\.pages)) }
  /// ```
  ///
  /// - Throws: As for a count; ``StoreError/overflow(model:field:)`` where a sum of integers does not fit;
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` for a raw value without a case.
  /// - Complexity: That of a fetch of the query, without making objects, and O(*g* log *g*) for *g* groups.
  public mutating func fetch<M: Model, Value: Sendable>(
    _ request: AggregateRequest<M, Value>
  ) throws -> Value {
    let maker = request.maker
    let accumulator = maker.make(.addingOnly)
    if let setCount = accumulator.setCount {
      setCount(try count(Query<M>(request.core)))
      return try accumulator.value()
    }
    let query = Query<M>(maker.narrowed(request.core))
    try _forEachRow(query, _RowReading(paths: maker.paths)) { row in
      try accumulator.add(row.values[...], row.layout)
      return true
    }
    return try accumulator.value()
  }
}

extension Query {
  /// How many objects there are.
  public var count: AggregateRequest<M, Int> { AggregateRequest(self, .count()) }

  /// The sum of a property, zero of nothing.
  ///
  /// It is an `Int` or `UInt` for integers of any width, and a `Double` for floating point. It cannot be
  /// computed where the sum of integers does not fit: ``StoreError/overflow(model:field:)``.
  public func sum<V: Storable>(
    _ property: KeyPath<M, V>
  ) -> AggregateRequest<M, V.Unwrapped.Sum> where V.Unwrapped: Summable {
    AggregateRequest(self, Aggregate<M, V.Unwrapped.Sum>.sum(property).accumulators)
  }

  /// The sum of an expression, such as `{ $0.price * $0.count }`.
  public func sum<V: Storable>(
    _ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>
  ) -> AggregateRequest<M, V.Unwrapped.Sum> where V.Unwrapped: Summable {
    AggregateRequest(self, Aggregate<M, V.Unwrapped.Sum>.sum(expression).accumulators)
  }

  /// The average of a property, or nil of nothing; that of durations is in seconds.
  public func average<V: Storable>(
    _ property: KeyPath<M, V>
  ) -> AggregateRequest<M, Double?> where V.Unwrapped: Summable {
    AggregateRequest(self, Aggregate<M, Double?>.average(property).accumulators)
  }

  /// The average of an expression, or nil of nothing.
  public func average<V: Storable>(
    _ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>
  ) -> AggregateRequest<M, Double?> where V.Unwrapped: Summable {
    AggregateRequest(self, Aggregate<M, Double?>.average(expression).accumulators)
  }

  /// The smallest value of a property, or nil of nothing.
  ///
  /// - Complexity: O(log *n*) to fetch where an index over the property gives it.
  public func min<V: OrderedStorable>(_ property: KeyPath<M, V>) -> AggregateRequest<
    M, V.Unwrapped?
  > {
    AggregateRequest(self, Aggregate<M, V.Unwrapped?>.min(property).accumulators)
  }

  /// The smallest value of an expression, or nil of nothing.
  public func min<V: OrderedStorable>(
    _ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>
  ) -> AggregateRequest<M, V.Unwrapped?> {
    AggregateRequest(self, Aggregate<M, V.Unwrapped?>.min(expression).accumulators)
  }

  /// The greatest value of a property, or nil of nothing.
  ///
  /// - Complexity: O(log *n*) to fetch where an index over the property gives it.
  public func max<V: OrderedStorable>(_ property: KeyPath<M, V>) -> AggregateRequest<
    M, V.Unwrapped?
  > {
    AggregateRequest(self, Aggregate<M, V.Unwrapped?>.max(property).accumulators)
  }

  /// The greatest value of an expression, or nil of nothing.
  public func max<V: OrderedStorable>(
    _ expression: (QueryColumn<M, M>) -> QueryColumn<M, V>
  ) -> AggregateRequest<M, V.Unwrapped?> {
    AggregateRequest(self, Aggregate<M, V.Unwrapped?>.max(expression).accumulators)
  }

  /// A group for each value of a property that an object has, by the value ascending.
  ///
  /// ```swift
  /// for group in try store.fetch(Song.all.grouped(by: \.genre, .count, .sum(\.plays))) {
  ///   print(group.key, group.values.0, group.values.1)
  /// }
  /// ```
  /// Texts are equal as in Swift, and nil is a value of its own.
  public func grouped<Key: OrderedStorable, each Value: Sendable>(
    by property: KeyPath<M, Key>, _ aggregates: repeat Aggregate<M, each Value>
  ) -> AggregateRequest<M, [ResultGroup<Key, (repeat each Value)>]> {
    AggregateRequest(
      self,
      AccumulatorMaker.groups(
        by: ResultKey(QueryColumn<M, M>(nil)[property]), repeat (each aggregates).accumulators))
  }

  /// A group for each value of an expression, or for each combination of several, ascending.
  ///
  /// ```swift
  /// let months = Session.all.grouped(
  ///   by: { ($0.startedAt.start(of: .month, in: calendar), $0.book.genre) }, .sum(\.pages))
  /// for month in try store.fetch(months) { print(month.key.0, month.key.1, month.values) }
  /// ```
  /// The closure returns a column, an expression, or a tuple of several; they may lead through references.
  public func grouped<each Key: OrderedStorable, each Value: Sendable>(
    by columns: (QueryColumn<M, M>) -> (repeat QueryColumn<M, each Key>),
    _ aggregates: repeat Aggregate<M, each Value>
  ) -> AggregateRequest<M, [ResultGroup<(repeat each Key), (repeat each Value)>]> {
    let columns = columns(QueryColumn(nil))
    return AggregateRequest(
      self,
      AccumulatorMaker.groups(
        by: ResultKey(repeat each columns), repeat (each aggregates).accumulators))
  }

  /// A group for each value of a property, with one aggregate, of whose type `values` are then.
  public func grouped<Key: OrderedStorable, Value: Sendable>(
    by property: KeyPath<M, Key>, _ aggregate: Aggregate<M, Value>
  ) -> AggregateRequest<M, [ResultGroup<Key, Value>]> {
    AggregateRequest(
      self,
      AccumulatorMaker.groups(
        by: ResultKey(QueryColumn<M, M>(nil)[property]), aggregate.accumulators))
  }

  /// A group for each value of an expression, with one aggregate, of whose type `values` are then.
  public func grouped<Key: OrderedStorable, Value: Sendable>(
    by column: (QueryColumn<M, M>) -> QueryColumn<M, Key>, _ aggregate: Aggregate<M, Value>
  ) -> AggregateRequest<M, [ResultGroup<Key, Value>]> {
    AggregateRequest(
      self, AccumulatorMaker.groups(by: ResultKey(column(QueryColumn(nil))), aggregate.accumulators)
    )
  }
}
