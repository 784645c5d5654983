public import Dispatch

// Aggregates that commits keep up to date. A commit of c changed rows costs O(c log n), whatever the number
// of objects n. Three kinds are computed again instead, by a query of all the objects: those of a query that
// reads other objects, or has an offset, a limit or distinct properties, after each commit that touches the
// query; and any, after a commit of another process or another `Store` of the file.

extension Store {
  /// Calls a closure with the number of a query's objects, now and after each change.
  ///
  /// ```swift
  /// let token = store.observe(count: TodoItem.where { !$0.isDone }, on: .main) { print($0) }
  /// ```
  /// A commit changes the number by the objects that it adds or removes, so the objects are not
  /// counted again. They are counted again for a query that reads other objects, or has an offset,
  /// a limit or distinct properties, and after a commit of another process.
  ///
  /// Threads: as the changes of a query.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First that of a count; then O(log *n*) for each changed row of the query.
  public func observe<M: Model>(
    count query: Query<M>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (Int) -> Void
  ) -> ObservationToken {
    query.observed(.count).observe(in: self, on: queue, onError, body)
  }

  /// The number of a query's objects, now and after each change.
  ///
  /// - Parameter query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model>(
    count query: Query<M>
  ) -> LiveChanges<Int> {
    query.observed(.count).changes(in: self)
  }

  /// Calls a closure with the sum of a property, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil values are left out.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation. An
  ///     integer sum that does not fit ends it with ``StoreError/overflow(model:field:)``.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First that of a sum; then O(log *n*) for each changed row of the query.
  public func observe<M: Model, V: Storable>(
    sum property: KeyPath<M, V>, of query: Query<M>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (V.Unwrapped.Sum) -> Void
  ) -> ObservationToken where V.Unwrapped: Summable {
    query.observed(.sum(of: property)).observe(in: self, on: queue, onError, body)
  }

  /// Calls a closure with the sum of an expression, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil values are left out.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation. An
  ///     integer sum that does not fit ends it with ``StoreError/overflow(model:field:)``.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First that of a sum; then O(log *n*) for each changed row of the query.
  public func observe<M: Model, V: Storable>(
    sum expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>,
    on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (V.Unwrapped.Sum) -> Void
  ) -> ObservationToken where V.Unwrapped: Summable {
    query.observed(.sum(of: expression)).observe(in: self, on: queue, onError, body)
  }

  /// The sum of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Storable>(
    sum property: KeyPath<M, V>, of query: Query<M>
  ) -> LiveChanges<V.Unwrapped.Sum> where V.Unwrapped: Summable {
    query.observed(.sum(of: property)).changes(in: self)
  }

  /// The sum of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Storable>(
    sum expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> LiveChanges<V.Unwrapped.Sum> where V.Unwrapped: Summable {
    query.observed(.sum(of: expression)).changes(in: self)
  }

  /// Calls a closure with the average of a property, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil values are left out; the average of no values is nil.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First that of an average; then O(log *n*) for each changed row of the query.
  public func observe<M: Model, V: Storable>(
    average property: KeyPath<M, V>, of query: Query<M>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (Double?) -> Void
  ) -> ObservationToken where V.Unwrapped: Summable {
    query.observed(.average(of: property)).observe(in: self, on: queue, onError, body)
  }

  /// Calls a closure with the average of an expression, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil values are left out; the average of no values is nil.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First that of an average; then O(log *n*) for each changed row of the query.
  public func observe<M: Model, V: Storable>(
    average expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>,
    on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (Double?) -> Void
  ) -> ObservationToken where V.Unwrapped: Summable {
    query.observed(.average(of: expression)).observe(in: self, on: queue, onError, body)
  }

  /// The average of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Storable>(
    average property: KeyPath<M, V>, of query: Query<M>
  ) -> LiveChanges<Double?> where V.Unwrapped: Summable {
    query.observed(.average(of: property)).changes(in: self)
  }

  /// The average of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Storable>(
    average expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> LiveChanges<Double?> where V.Unwrapped: Summable {
    query.observed(.average(of: expression)).changes(in: self)
  }

  /// Calls a closure with the smallest value of a property, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First O(*n* log *n*); then on average O(log *n*) for each changed row of the
  ///   query.
  public func observe<M: Model, V: Ordered>(
    min property: KeyPath<M, V>, of query: Query<M>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (V.Unwrapped?) -> Void
  ) -> ObservationToken {
    query.observed(.min(of: property)).observe(in: self, on: queue, onError, body)
  }

  /// Calls a closure with the smallest value of an expression, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First O(*n* log *n*); then on average O(log *n*) for each changed row of the
  ///   query.
  public func observe<M: Model, V: Ordered>(
    min expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>,
    on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (V.Unwrapped?) -> Void
  ) -> ObservationToken {
    query.observed(.min(of: expression)).observe(in: self, on: queue, onError, body)
  }

  /// The smallest value of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Ordered>(
    min property: KeyPath<M, V>, of query: Query<M>
  ) -> LiveChanges<V.Unwrapped?> {
    query.observed(.min(of: property)).changes(in: self)
  }

  /// The smallest value of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Ordered>(
    min expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> LiveChanges<V.Unwrapped?> {
    query.observed(.min(of: expression)).changes(in: self)
  }

  /// Calls a closure with the greatest value of a property, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First O(*n* log *n*); then on average O(log *n*) for each changed row of the
  ///   query.
  public func observe<M: Model, V: Ordered>(
    max property: KeyPath<M, V>, of query: Query<M>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (V.Unwrapped?) -> Void
  ) -> ObservationToken {
    query.observed(.max(of: property)).observe(in: self, on: queue, onError, body)
  }

  /// Calls a closure with the greatest value of an expression, now and after each change.
  ///
  /// The changed objects of a commit are added and removed, as for
  /// ``observe(count:on:onError:_:)``. Nil and NaN are left out.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each value that differs from the one before.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First O(*n* log *n*); then on average O(log *n*) for each changed row of the
  ///   query.
  public func observe<M: Model, V: Ordered>(
    max expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>,
    on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (V.Unwrapped?) -> Void
  ) -> ObservationToken {
    query.observed(.max(of: expression)).observe(in: self, on: queue, onError, body)
  }

  /// The greatest value of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Ordered>(
    max property: KeyPath<M, V>, of query: Query<M>
  ) -> LiveChanges<V.Unwrapped?> {
    query.observed(.max(of: property)).changes(in: self)
  }

  /// The greatest value of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last value.
  public func values<M: Model, V: Ordered>(
    max expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> LiveChanges<V.Unwrapped?> {
    query.observed(.max(of: expression)).changes(in: self)
  }
}

extension Store {
  /// Calls a closure with the groups of a query's objects, now and after each change.
  ///
  /// ```swift
  /// let token = store.observe(group: Song.all, by: \.genre, .count, .sum(of: \.plays)) { groups in
  ///   for group in groups { print(group.key, group.values.0, group.values.1) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - aggregates: The aggregates of each group.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation. An integer
  ///     sum that does not fit ends it with ``StoreError/overflow(model:field:)``.
  ///   - body: Called with the groups by their keys, ascending.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First that of a query of the groups; then O(log *n*) for each changed row of the
  ///   query, and O(*g*) for *g* groups.
  public func observe<M: Model, Key: Ordered, each Value: Sendable>(
    group query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable ([ResultGroup<Key, (repeat each Value)>]) -> Void
  ) -> ObservationToken {
    query.observed(
      AccumulatorMaker.groups(
        by: ResultKey(Column<M, M>(nil)[property]), repeat (each aggregates).accumulators)
    ).observe(in: self, on: queue, onError, body)
  }

  /// Calls a closure with a query's objects grouped by expressions, now and after each change.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several.
  ///   - aggregates: The aggregates of each group.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation. An integer
  ///     sum that does not fit ends it with ``StoreError/overflow(model:field:)``.
  ///   - body: Called with the groups by their keys, ascending.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: First that of a query of the groups; then O(log *n*) for each changed row of the
  ///   query, and O(*g*) for *g* groups.
  public func observe<M: Model, each Key: Ordered, each Value: Sendable>(
    group query: Query<M>, by columns: (Column<M, M>) -> (repeat Column<M, each Key>),
    _ aggregates: repeat AggregateMaker<M, each Value>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable ([ResultGroup<(repeat each Key), (repeat each Value)>]) -> Void
  ) -> ObservationToken {
    let columns = columns(Column(nil))
    return query.observed(
      AccumulatorMaker.groups(
        by: ResultKey(repeat each columns), repeat (each aggregates).accumulators)
    ).observe(in: self, on: queue, onError, body)
  }

  /// The groups of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last groups.
  public func values<M: Model, Key: Ordered, each Value: Sendable>(
    group query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) -> LiveChanges<[ResultGroup<Key, (repeat each Value)>]> {
    query.observed(
      AccumulatorMaker.groups(
        by: ResultKey(Column<M, M>(nil)[property]), repeat (each aggregates).accumulators)
    ).changes(in: self)
  }

  /// A query's objects grouped by expressions, now and after each change.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last groups.
  public func values<M: Model, each Key: Ordered, each Value: Sendable>(
    group query: Query<M>, by columns: (Column<M, M>) -> (repeat Column<M, each Key>),
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) -> LiveChanges<[ResultGroup<(repeat each Key), (repeat each Value)>]> {
    let columns = columns(Column(nil))
    return query.observed(
      AccumulatorMaker.groups(
        by: ResultKey(repeat each columns), repeat (each aggregates).accumulators)
    ).changes(in: self)
  }
}

extension Query {
  /// The observation target of an aggregate of the query.
  func observed<Value: Sendable>(
    _ aggregate: AggregateMaker<M, Value>
  ) -> ObservationTarget<Value> {
    observed(aggregate.accumulators)
  }

  /// The observation target of what an accumulator makes of the query's rows.
  func observed<Value: Sendable>(
    _ maker: AccumulatorMaker<Value>
  ) -> ObservationTarget<Value> {
    let (core, schema) = (core, M.schema)
    return ObservationTarget(of: schema, isSame: maker.isSame) {
      LiveAggregate(core, schema, maker)
    }
  }
}
