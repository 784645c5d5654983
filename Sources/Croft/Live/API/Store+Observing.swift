public import Dispatch

extension Store {
  /// Calls a closure with the result of a query, and with each change of it.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.where { !$0.isDone }, on: .main) { change in
  ///   if change.isInitial { list.reload(change.after) } else { list.apply(change) }
  /// }
  /// ```
  /// The first call says what the result is, each later one how it became another; no call says
  /// nothing. Calls come one at a time, in the order of commits. What happens while the closure
  /// runs comes as one change afterwards, and keeps nobody waiting. The closure may do anything:
  /// write, observe, cancel.
  ///
  /// - Parameters:
  ///   - query: The query; it can have any condition, order, distinct properties and limit.
  ///   - fields: The properties that count: an object is modified only where one of them differs.
  ///     It still comes, goes and moves by all of them. Empty, the default, for all.
  ///   - queue: A serial queue to call it on; nil, the default, for one of the store's own.
  ///   - onError: Hears once, on the same queue, why it ended by itself, if it does. Without it a
  ///     line on the standard error tells, unless ``onDiagnostic`` is set. An error that passes,
  ///     such as too many open reads, ends nothing: what could not be read is read later.
  ///   - body: Hears of the changes.
  /// - Returns: Ends it when it is cancelled or gone; its ``ObservationToken/error`` says why it
  ///   ended by itself. So does ``onDiagnostic``.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: To begin, as a fetch. For *c* changed rows among *n* objects O(*c* log *n*); a
  ///   query that follows references is fetched anew where something that it looks at changed.
  public func observe<M: Model>(
    _ query: Query<M>, fields: [PartialKeyPath<M>] = [], on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (ResultChange<M>) -> Void
  ) -> ObservationToken {
    query.observed(fields).observe(in: self, on: queue, onError, body)
  }

  /// The changes of a query's result, one after the other; the first is the result.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - fields: The properties that count; see ``observe(_:fields:on:_:)``.
  /// - Returns: A sequence that begins to observe when it is iterated.
  /// - Precondition: The fields are stored properties.
  public func changes<M: Model>(
    of query: Query<M>, fields: [PartialKeyPath<M>] = []
  ) -> LiveChanges<ResultChange<M>> {
    query.observed(fields).changes(in: self)
  }

  /// Calls a closure with the sections of a query, and with each change of them.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.all.sections(by: \.priority)) { change in
  ///   table.delete(change.sectionDeletions)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query, put in sections.
  ///   - fields: The properties that count; see ``observe(_:fields:on:_:)``.
  ///   - queue: A serial queue to call it on; nil, the default, for one of the store's own.
  ///   - onError: Hears once, on the same queue, why it ended by itself, if it does.
  ///   - body: Hears of the changes.
  /// - Returns: Ends it when it is cancelled or gone.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: As without sections, and O(*s*) for *s* sections.
  public func observe<M: Model, Key: Ordered>(
    _ query: SectionedQuery<M, Key>, fields: [PartialKeyPath<M>] = [],
    on queue: DispatchQueue? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (SectionedChange<M, Key>) -> Void
  ) -> ObservationToken {
    query.observed(fields).observe(in: self, on: queue, onError, body)
  }

  /// The changes of a query's sections, one after the other; the first is what they are.
  ///
  /// - Parameters:
  ///   - query: The query, put in sections.
  ///   - fields: The properties that count; see ``observe(_:fields:on:_:)``.
  /// - Returns: A sequence that begins to observe when it is iterated.
  /// - Precondition: The fields are stored properties.
  public func changes<M: Model, Key: Ordered>(
    of query: SectionedQuery<M, Key>, fields: [PartialKeyPath<M>] = []
  ) -> LiveChanges<SectionedChange<M, Key>> {
    query.observed(fields).changes(in: self)
  }

  /// Tells of an observation that ended by itself, and has nothing noted for it any more.
  ///
  /// - Parameter isTold: Whether the program is called with the error, so that no line on the
  ///   standard error need tell of it.
  func failureHandler(
    of number: Int, _ schema: Schema?, _ failure: FailureBox?, isTold: Bool = false
  ) -> @Sendable (any Error) -> Void {
    { [snapshots, deliveries = live.deliveries, weak live] error in
      failure?.error = error
      live?.remove(number)
      deliveries.async {
        if isTold, snapshots.handler == nil { return }
        snapshots.report(.observationFailed(model: schema?.name, reason: "\(error)"))
      }
    }
  }
}

extension Model {
  /// The places of the columns of some properties; nil, for all, where there are none.
  static func places(of fields: [PartialKeyPath<Self>]) -> [Int]? {
    if fields.isEmpty { return nil }
    return fields.flatMap { field in
      guard let name = _schema.name(of: field) else {
        preconditionFailure(
          "A field to observe is no stored property of \(schema.name): name stored ones.")
      }
      // A struct's properties have columns of their own, under its name.
      return schema.columns.indices.filter { place in
        let column = schema.columns[place].name
        return column == name || column.hasPrefix(name + ".")
      }
    }
  }
}
