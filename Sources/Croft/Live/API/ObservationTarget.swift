internal import Dispatch
import Synchronization

/// What is observed, and how its values become changes: a query's result, an object, or what is computed.
struct ObservationTarget<Value: Sendable, Change: Sendable>: Sendable {
  typealias Observation = ValueObservation<Value, Change>

  /// The model that a failure names; nil for several.
  let schema: Schema?
  let builder: Observation.ChangeBuilder
  /// The hub's entry of an observation.
  let entry: @Sendable (Observation) -> ObserverEntry

  /// Calls a closure with the changes.
  func observe(
    in store: Store, on queue: DispatchQueue?, _ onError: (@Sendable (any Error) -> Void)?,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> ObservationToken {
    let receiver = Observation.Receiver.closure(
      queue ?? store.live.deliveries, onError: onError, body)
    return ObservationToken(entry(observation(in: store, receiver, nil)), of: store)
  }

  /// The changes as a sequence.
  func changes(in store: Store) -> LiveChanges<Change> {
    LiveChanges { failure in
      let observation = observation(in: store, .iterator, failure)
      return ChangeIterator(observation, entry(observation), of: store)
    }
  }

  private func observation(
    in store: Store, _ receiver: Observation.Receiver, _ failure: LiveFailure?
  ) -> Observation {
    let number = store.live.makeNumber()
    let hasErrorHandler = if case .closure(_, .some, _) = receiver { true } else { false }
    return Observation(
      number, receiver, builder, failure,
      onFailure: store.failureHandler(of: number, schema, hasErrorHandler: hasErrorHandler))
  }
}

extension Query {
  /// The observation target of the query.
  ///
  /// - Parameter fields: The properties to observe; none for all.
  func observed(
    _ fields: [PartialKeyPath<M>]
  ) -> ObservationTarget<ResultRows, ResultChange<M>> {
    let core = core
    return ObservationTarget(
      schema: M.schema, builder: .results(of: core, fields: M.places(of: fields)),
      entry: { .query(core, M.schema, $0) })
  }
}

extension SectionedQuery {
  /// The observation target of the query.
  ///
  /// - Parameter fields: The properties to observe; none for all.
  func observed(
    _ fields: [PartialKeyPath<M>]
  ) -> ObservationTarget<ResultRows, SectionedChange<M, Key>> {
    let core = core
    return ObservationTarget(
      schema: M.schema, builder: .sections(of: core, by: code, fields: M.places(of: fields)),
      entry: { .query(core, M.schema, $0) })
  }
}

extension Model {
  /// The observation target of the object of a key.
  ///
  /// - Parameter fields: The properties to observe; none for all.
  static func observed(
    _ key: PrimaryKey, _ fields: [PartialKeyPath<Self>]
  ) -> ObservationTarget<StoredRow?, ObjectChange<Self>> {
    let fields = places(of: fields)
    var code = _ByteBuffer()
    key.appendKey(to: &code)
    // Safety: the code is copied while the buffer lives.
    let bytes = unsafe [UInt8](code.bytes)
    return ObservationTarget(
      schema: schema,
      builder: ValueObservation<StoredRow?, ObjectChange<Self>>.ChangeBuilder(
        change: { try ObjectChange($0, fields: fields) },
        // Where another change is pending, both are delivered, so that none is lost.
        merge: { delivered, before, after in delivered.isIdentical(to: before) ? after : delivered }
      ),
      entry: { .object(bytes, schema, $0) })
  }

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

extension Optional<StoredRow> {
  /// Whether both are the same copy, or none.
  fileprivate func isIdentical(to other: StoredRow?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isIdentical(to: other)
  }
}

extension Store {
  /// Makes the handler of an observation's failure, which removes it and reports the error.
  ///
  /// - Parameter hasErrorHandler: Whether the program's own handler is called with the error, so
  ///   that no line on the standard error need report it.
  func failureHandler(
    of number: Int, _ schema: Schema?, hasErrorHandler: Bool = false
  ) -> @Sendable (any Error) -> Void {
    { [snapshots, deliveries = live.deliveries, weak live] error in
      live?.remove(number)
      deliveries.async {
        if hasErrorHandler, snapshots.handler == nil { return }
        snapshots.report(.observationFailed(model: schema?.name, reason: "\(error)"))
      }
    }
  }
}
