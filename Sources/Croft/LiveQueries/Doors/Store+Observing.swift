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
  ///   - body: Hears of the changes.
  /// - Returns: Ends it when it is cancelled or gone; its ``ObservationToken/error`` says why it
  ///   ended by itself, which ``onDiagnostic`` hears as well.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: To begin, as a fetch. For *c* changed rows among *n* objects O(*c* log *n*); a
  ///   query that follows references is fetched anew where something that it looks at changed.
  public func observe<M: Model>(
    _ query: Query<M>, fields: [PartialKeyPath<M>] = [], on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (ResultChange<M>) -> Void
  ) -> ObservationToken {
    let reader = Observation<ResultRows, ResultChange<M>>.Reader.closure(
      queue ?? live.deliveries, body)
    let observation = observation(of: query, M.places(of: fields), reader)
    return ObservationToken(.query(query.core, M.shape, observation), of: self)
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
  ) -> ResultChanges<M> {
    ResultChanges(query, M.places(of: fields), of: self)
  }

  /// An observation of a query that nobody has begun.
  func observation<M: Model>(
    of query: Query<M>, _ fields: [Int]?,
    _ reader: Observation<ResultRows, ResultChange<M>>.Reader, _ failure: FailureBox? = nil
  ) -> Observation<ResultRows, ResultChange<M>> {
    let core = query.core
    return Observation(
      live.makeNumber(), reader,
      Observation<ResultRows, ResultChange<M>>.Form(
        change: { try ResultChange($0, fields: fields) },
        patch: { told, before, after in told.patched(from: before, to: after, core) }),
      onFailure: failureHandler(of: M.shape, failure))
  }

  /// Tells of an observation that ended by itself.
  func failureHandler(
    of shape: ModelShape?, _ failure: FailureBox?
  ) -> @Sendable (any Error) -> Void {
    { [snapshots, deliveries = live.deliveries] error in
      failure?.error = error
      deliveries.async {
        snapshots.report(.observationFailed(model: shape?.name, reason: "\(error)"))
      }
    }
  }
}

extension ResultChange {
  /// The change that a step makes; nil where there is none.
  ///
  /// - Throws: ``StoreError`` for a row that cannot be read as an object.
  init?(_ step: Observation<ResultRows, Self>.Step, fields: [Int]?) throws {
    guard let before = step.before else {
      try step.after.check(as: M.self)
      self.init(
        sequence: step.sequence, before: .empty, after: step.after, diff: ResultDiff(),
        isInitial: true)
      return
    }
    let diff = ResultDiff(from: before, to: step.after, fields: fields)
    if fields != nil || step.checked != nil {
      // Not all that is new is in the diff.
      let checked = step.checked ?? before
      try step.after.check(as: M.self, after: ResultDiff(from: checked, to: step.after))
    } else {
      try step.after.check(as: M.self, after: diff)
    }
    if diff.isEmpty { return nil }
    self.init(sequence: step.sequence, before: before, after: step.after, diff: diff)
  }
}

extension Model {
  /// The places of the columns of some properties; nil, for all, where there are none.
  static func places(of fields: [PartialKeyPath<Self>]) -> [Int]? {
    if fields.isEmpty { return nil }
    return fields.flatMap { field in
      guard let name = _schema.name(of: field) else {
        preconditionFailure(
          "A field to observe is no stored property of \(shape.name): name stored ones.")
      }
      // A struct's properties have columns of their own, under its name.
      return shape.columns.indices.filter { place in
        let column = shape.columns[place].name
        return column == name || column.hasPrefix(name + ".")
      }
    }
  }
}
