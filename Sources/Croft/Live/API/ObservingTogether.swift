public import Dispatch

extension Store {
  /// Calls a closure with the results of several queries, now and after each change of one of them.
  ///
  /// ```swift
  /// let groups = TodoGroup.all.order(by: \.name)
  /// let token = store.observe(together: TodoItem.all, groups, on: .main) { items, groups in
  ///   print("\(items.count) items in \(groups.count) groups")
  /// }
  /// ```
  /// All results of a call are of one commit. Two separate observers would get them one after the
  /// other, so that one query's new rows come with the other's old ones for a moment. Without a query
  /// the closure is called once.
  ///
  /// Threads: as the changes of a query.
  ///
  /// - Parameters:
  ///   - queries: The queries; each can have any condition, order, distinct properties and limit.
  ///   - queue: A serial queue to call the closure on; nil, the default, for one of the store's.
  ///   - onError: Called once, on the same queue, with the error that ends the observation.
  ///   - body: Called with the results.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Complexity: The same as for observing each of the queries.
  public func observe<each M: Model>(
    together queries: repeat Query<each M>, on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (repeat LiveResults<each M>) -> Void
  ) -> ObservationToken {
    ObservationTarget<[ResultRows], (repeat LiveResults<each M>)>(
      resultsOf: repeat each queries
    ).observe(in: self, on: queue, onError) { results in body(repeat each results) }
  }

  /// The changes of the results of several queries; the first ones have the current results.
  ///
  /// All changes of an element lead to one commit. Those of queries that did not change are empty.
  ///
  /// - Parameter queries: The queries.
  /// - Returns: A sequence that starts to observe when it is iterated.
  public func changes<each M: Model>(
    together queries: repeat Query<each M>
  ) -> LiveChanges<(repeat ResultChange<each M>)> {
    ObservationTarget<[ResultRows], (repeat ResultChange<each M>)>(
      changesOf: repeat each queries
    ).changes(in: self)
  }
}

extension ObservationTarget where Value == [ResultRows] {
  /// The target of the results of several queries.
  fileprivate init<each M: Model>(
    resultsOf queries: repeat Query<each M>
  ) where Change == (repeat LiveResults<each M>) {
    let parts = CombinedPart.all(repeat each queries)
    self.init(parts) { step in
      guard try parts.areChanged(in: step) else { return nil }
      var rest = step.after.makeIterator()
      return (repeat LiveResults<each M>(rest.take()))
    }
  }

  /// The target of the changes of several queries.
  fileprivate init<each M: Model>(
    changesOf queries: repeat Query<each M>
  ) where Change == (repeat ResultChange<each M>) {
    let parts = CombinedPart.all(repeat each queries)
    self.init(parts) { step in
      guard try parts.areChanged(in: step) else { return nil }
      var before = step.before?.makeIterator()
      var after = step.after.makeIterator()
      return
        (repeat ResultChange<each M>(
          step.sequence, from: before?.take(), to: after.take()))
    }
  }

  private init(
    _ parts: [CombinedPart], _ change: @escaping @Sendable (Observation.Step) throws -> Change?
  ) {
    self.init(
      schema: nil,
      builder: Observation.ChangeBuilder(
        change: change,
        merge: { delivered, before, after in
          delivered.indices.map {
            delivered[$0].merged(from: before[$0], to: after[$0], parts[$0].core)
          }
        }),
      entry: { .combination(CombinedQueries(parts.map { ($0.core, $0.schema) }, for: $0)) })
  }
}

/// One of several queries that are observed together.
private struct CombinedPart: Sendable {
  let core: QueryCore
  let schema: Schema
  /// Decodes the rows that are new, and tells whether there is a difference.
  let isChanged: @Sendable (ValueObservation<ResultRows, Never>.Step) throws -> Bool

  static func all<each M: Model>(_ queries: repeat Query<each M>) -> [CombinedPart] {
    var parts: [CombinedPart] = []
    for query in repeat each queries { parts.append(CombinedPart(query)) }
    return parts
  }

  init<M: Model>(_ query: Query<M>) {
    core = query.core
    schema = M.schema
    isChanged = { step in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        return true
      }
      let diff = ResultDiff(from: before, to: step.after)
      try step.check(as: M.self, after: diff)
      return !diff.isEmpty
    }
  }
}

extension [CombinedPart] {
  /// Whether a result differs; the rows that are new are decoded.
  fileprivate func areChanged<Change>(
    in step: ValueObservation<[ResultRows], Change>.Step
  ) throws -> Bool {
    var isChanged = step.before == nil
    for (ordinal, part) in enumerated() {
      let own = ValueObservation<ResultRows, Never>.Step(
        sequence: step.sequence, before: step.before?[ordinal], decoded: step.decoded?[ordinal],
        after: step.after[ordinal])
      if try part.isChanged(own) { isChanged = true }
    }
    return isChanged
  }
}

extension IndexingIterator<[ResultRows]> {
  /// The next result; there is one for each query.
  fileprivate mutating func take() -> ResultRows {
    guard let next = next() else { return .empty }
    return next
  }
}

extension ResultChange {
  /// The difference between two results; the first one has all.
  fileprivate init(_ sequence: UInt64, from before: ResultRows?, to after: ResultRows) {
    guard let before else {
      self.init(
        sequence: sequence, before: .empty, after: after, diff: ResultDiff(), isInitial: true)
      return
    }
    self.init(
      sequence: sequence, before: before, after: after, diff: ResultDiff(from: before, to: after))
  }
}
