public import Dispatch

extension Store {
  /// Calls a closure with the result of a query, and then with each change of the result.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.where { !$0.isDone }, on: .main) { change in
  ///   if change.isInitial { list.reload(change.after) } else { list.apply(change) }
  /// }
  /// ```
  /// The first call has the current result, and each later one a difference that is not empty.
  /// Calls are serial and in the order of commits. Commits made while the closure runs are
  /// delivered as one change afterwards, and no writer waits for the closure. The closure may
  /// write, observe and cancel.
  ///
  /// - Parameters:
  ///   - query: The query; it can have any condition, order, distinct properties and limit.
  ///   - fields: The properties to observe: an object is modified only when one of them differs.
  ///     Insertions, deletions and moves still depend on all. Empty, the default, for all.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation. Without
  ///     it the error is printed on the standard error, unless ``onDiagnostic`` is set. A passing
  ///     error, such as too many open reads, ends nothing: the store is read again later.
  ///   - body: Called with each change.
  /// - Returns: A token that ends the observation when it is cancelled or released. Its
  ///   ``ObservationToken/error`` is the error that ended the observation.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: First that of a fetch. Then for *c* changed rows among *n* objects O(*c* log
  ///   *n*); a query that follows references is fetched again after each change of a model that it
  ///   reads.
  public func observe<M: Model>(
    _ query: Query<M>, fields: [PartialKeyPath<M>] = [], on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (ResultChange<M>) -> Void
  ) -> ObservationToken {
    query.observed(fields).observe(in: self, on: queue, onError, body)
  }

  /// The changes of a query's result; the first one has the current result.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - fields: The properties to observe; see `observe(_:fields:on:onError:_:)` of a query.
  /// - Returns: A sequence that starts to observe when it is iterated.
  /// - Precondition: The fields are stored properties.
  public func changes<M: Model>(
    of query: Query<M>, fields: [PartialKeyPath<M>] = []
  ) -> LiveChanges<ResultChange<M>> {
    query.observed(fields).changes(in: self)
  }

  /// Calls a closure with the sections of a query, and then with each change of them.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.all.sections(by: \.priority)) { change in
  ///   table.delete(change.sectionDeletions)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query, divided into sections.
  ///   - fields: The properties to observe; see `observe(_:fields:on:onError:_:)` of a query.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each change.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: The same as without sections, and O(*s*) for *s* sections.
  public func observe<M: Model, Key: Ordered>(
    _ query: SectionedQuery<M, Key>, fields: [PartialKeyPath<M>] = [],
    on queue: DispatchQueue? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (SectionedChange<M, Key>) -> Void
  ) -> ObservationToken {
    query.observed(fields).observe(in: self, on: queue, onError, body)
  }

  /// The changes of a query's sections; the first one has the current sections.
  ///
  /// - Parameters:
  ///   - query: The query, divided into sections.
  ///   - fields: The properties to observe; see `observe(_:fields:on:onError:_:)` of a query.
  /// - Returns: A sequence that starts to observe when it is iterated.
  /// - Precondition: The fields are stored properties.
  public func changes<M: Model, Key: Ordered>(
    of query: SectionedQuery<M, Key>, fields: [PartialKeyPath<M>] = []
  ) -> LiveChanges<SectionedChange<M, Key>> {
    query.observed(fields).changes(in: self)
  }
}

extension Store {
  /// Calls a closure with an object, and then with each change of the object.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.self, id) { change in
  ///   if let title = change.values(of: \.title) { rename(title.old, to: title.new) }
  /// }
  /// ```
  /// The first call has the object, or nil: the object need not exist yet. Each later call has a
  /// change, a deletion or an insertion. Calls are made as for a query.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - fields: The properties to observe; empty, the default, for all.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each change.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: O(1) for each changed row of the model, however many objects are observed.
  public func observe<M: Model>(
    _ model: M.Type, _ key: M.PrimaryKey, fields: [PartialKeyPath<M>] = [],
    on queue: DispatchQueue? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    M.observed(key, fields).observe(in: self, on: queue, onError, body)
  }

  /// The changes of an object; the first one has the current object, if there is one.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - fields: The properties to observe; empty, the default, for all.
  /// - Returns: A sequence that starts to observe when it is iterated.
  /// - Precondition: The fields are stored properties.
  public func changes<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, fields: [PartialKeyPath<M>] = []
  ) -> LiveChanges<ObjectChange<M>> {
    M.observed(key, fields).changes(in: self)
  }

  /// Calls a closure with the stored object of the same key, and then with each change of it.
  ///
  /// - Parameters:
  ///   - object: The object whose primary key is observed.
  ///   - fields: The properties to observe; empty, the default, for all.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each change.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  public func observe<M: Model>(
    _ object: M, fields: [PartialKeyPath<M>] = [], on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    observe(M.self, object._primaryKey, fields: fields, on: queue, onError: onError, body)
  }
}

extension Store {
  /// Calls a closure with the value that another one reads, now and after each commit that changed
  /// it.
  ///
  /// ```swift
  /// let token = store.observe(reading: { tx in
  ///   [try tx.count(TodoItem.where { !$0.isDone }), try tx.count(TodoGroup.all)]
  /// }, on: .main) { counts in
  ///   print("\(counts[0]) open items, \(counts[1]) groups")
  /// }
  /// ```
  /// The closure reads one version of the store, so everything in a value belongs together. It runs
  /// again only after a commit that changed a row that it read, or one that it would now read: each
  /// run records the keys, conditions and columns that it reads. A value that equals the one before
  /// is not delivered.
  ///
  /// Threads: the reading closure runs on a queue of the store, which all observers share, so it should
  /// only read. Values are delivered as the changes of a query are: in the order of commits, and for
  /// several commits at once where the observer is slow.
  ///
  /// - Parameters:
  ///   - read: Reads the value; it depends on nothing but the store.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation: what the
  ///     reading closure throws, except for passing errors such as too many open reads.
  ///   - body: Called with each value.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: One call of the reading closure for each commit that changes rows that it read;
  ///   for other commits O(log *n*) for each changed row of its models, among *n* observed
  ///   conditions.
  public func observe<Value: Equatable & Sendable>(
    reading read: @escaping @Sendable (inout ReadTransaction) throws -> Value,
    on queue: DispatchQueue? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    ObservationTarget(reading: read).observe(in: self, on: queue, onError, body)
  }

  /// The values that a closure reads, now and after each commit that changed them.
  ///
  /// ```swift
  /// for await count in store.values({ tx in try tx.count(TodoItem.where { !$0.isDone }) }) {
  ///   print(count)
  /// }
  /// ```
  ///
  /// - Parameter read: Reads the value; it depends on nothing but the store. See
  ///   ``observe(reading:on:onError:_:)``.
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last of
  ///   the values that came meanwhile.
  public func values<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) -> LiveChanges<Value> {
    ObservationTarget(reading: read).changes(in: self)
  }
}
