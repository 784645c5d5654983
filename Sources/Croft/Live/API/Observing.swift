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
  ///   - fields: The properties that count: an object is modified only where one of them differs.
  ///     Insertions, deletions and moves still depend on all. Empty, the default, for all.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation. Without
  ///     it the error is printed on the standard error, unless ``onDiagnostic`` is set. A passing
  ///     error, such as too many open reads, ends nothing: the store is read again later.
  ///   - body: Called with each change.
  /// - Returns: A token that ends the observation when it is cancelled or released. Its
  ///   ``ObservationToken/error`` is the error that ended the observation.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: To begin, as a fetch. For *c* changed rows among *n* objects O(*c* log *n*); a
  ///   query that follows references is fetched again after each change of a model that it reads.
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
  ///   - fields: The properties that count; see ``observe(_:fields:on:_:)``.
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
  ///   - fields: The properties that count; see ``observe(_:fields:on:_:)``.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with each change.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: As without sections, and O(*s*) for *s* sections.
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
  ///   - fields: The properties that count; see ``observe(_:fields:on:_:)``.
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
  ///   - fields: The properties that count; empty, the default, for all.
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
  ///   - fields: The properties that count; empty, the default, for all.
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
  ///   - fields: The properties that count; empty, the default, for all.
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
  /// Changes the store, without delivering the changes to chosen observers.
  ///
  /// A program that has changed a list on the screen itself names the list's token. The observer's
  /// next change then starts from the result with this write in it. Commits of others are delivered
  /// as always, before and after. An observer that waits for its first change gets all rows.
  ///
  /// ```swift
  /// list.move(item, to: place)                               // on the screen
  /// _ = try store.write(skipping: [token]) { tx in
  ///   try tx.update(TodoItem.self, item.id) { $0.place = place }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - tokens: The observers that skip the changes; call this on their queue.
  ///   - body: What to change; see ``write(_:)``.
  /// - Returns: What the closure returns.
  /// - Throws: As ``write(_:)``.
  /// - Precondition: The tokens observe this store, not another one of the same file.
  public func write<R>(
    skipping tokens: [ObservationToken], _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    let skipped = ObservationToken.numbers(of: tokens, in: self)
    return try write { transaction in
      transaction.beginPart(skipping: skipped)
      return try body(&transaction)
    }
  }

  /// Changes the store off the caller's thread, without delivering the changes to chosen observers.
  ///
  /// - Parameters:
  ///   - tokens: The observers that skip the changes.
  ///   - body: What to change.
  /// - Returns: What the closure returns.
  /// - Throws: As the asynchronous write without tokens.
  /// - Precondition: The tokens observe this store, not another one of the same file.
  public func write<R: Sendable>(
    skipping tokens: [ObservationToken],
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> R
  ) async throws -> R {
    let skipped = ObservationToken.numbers(of: tokens, in: self)
    return try await write { transaction in
      transaction.beginPart(skipping: skipped)
      defer { transaction.beginPart(skipping: []) }
      return try body(&transaction)
    }
  }
}

extension WriteTransaction {
  /// Starts a part of the transaction that some observers skip.
  fileprivate mutating func beginPart(skipping observers: Set<Int>) {
    context.capture?.beginPart(skipping: observers)
  }
}
