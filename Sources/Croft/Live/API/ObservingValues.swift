public import Dispatch

extension Store {
  /// Calls a closure with what another closure reads, and again when a commit has changed it.
  ///
  /// ```swift
  /// let token = store.observe(reading: { tx in
  ///   [try tx.count(TodoItem.where { !$0.isDone }), try tx.count(TodoGroup.all)]
  /// }, on: .main) { counts in
  ///   print("\(counts[0]) open items, \(counts[1]) groups")
  /// }
  /// ```
  /// The closure reads one version of the store, so everything in a value belongs together. It runs
  /// again only after a commit that changed a row that it read, or one that it would now read: what it
  /// reads is recorded as keys, conditions and columns, each time anew. A value that equals the one
  /// before is not delivered.
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
  /// - Complexity: The reading closure, for each commit that touches what it read; else O(log *n*) for
  ///   each changed row of its models, among *n* observed conditions.
  public func observe<Value: Equatable & Sendable>(
    reading read: @escaping @Sendable (inout ReadTransaction) throws -> Value,
    on queue: DispatchQueue? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    ObservationTarget(reading: read).observe(in: self, on: queue, onError, body)
  }

  /// What a closure reads, now and again when a commit has changed it.
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

extension ObservationTarget where Change == Value {
  /// The observation target of a computed value.
  ///
  /// - Parameters:
  ///   - schema: The model that a failure names; nil for several.
  ///   - isSame: Whether a value need not be delivered after another.
  ///   - make: Makes the computation for an observer, on the hub's queue.
  init(
    of schema: Schema?, isSame: @escaping @Sendable (Value, Value) -> Bool,
    _ make: @escaping @Sendable (any ValueObserver<Value>) -> any LiveComputation
  ) {
    self.init(
      schema: schema,
      builder: Observation.ChangeBuilder(
        change: { step in
          if let before = step.before, isSame(before, step.after) { return nil }
          return step.after
        },
        // Where another value is pending, it is delivered, so that none is lost.
        merge: { delivered, before, after in isSame(delivered, before) ? after : delivered }),
      entry: { observation in .computation(observation) { make(observation) } })
  }

  /// The observation target of what a closure reads.
  init(
    reading read: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) where Value: Equatable {
    self.init(of: nil, isSame: ==) { LiveReading(for: $0, isSame: ==, read) }
  }
}
