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
    ObservationTarget(repeat (each queries).observed([])).observe(
      in: self, on: queue, onError
    ) { (changes: (repeat ResultChange<each M>)) in
      body(repeat (each changes).after)
    }
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
    ObservationTarget(repeat (each queries).observed([])).changes(in: self)
  }
}
