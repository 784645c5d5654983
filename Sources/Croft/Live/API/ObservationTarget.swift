internal import Dispatch

/// How a request is observed: what is computed, and how its values become changes.
public struct _ObservationTarget<Change: Sendable>: Sendable {
  /// Computes a change from values; nil where they do not differ.
  typealias ChangeMaker = @Sendable (LiveStep) throws -> Change?

  /// The model that a failure names; nil for several.
  let schema: Schema?
  /// What makes the computations of the values.
  let sources: [LiveSource]
  /// Computes a change, also where nothing differs.
  let change: @Sendable (LiveStep) throws -> (change: Change, isEmpty: Bool)

  func observe(
    in store: Store, _ delivery: Delivery, _ onError: (@Sendable (any Error) -> Void)?,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> ObservationToken {
    let deliveries = store.live.deliveries
    let schedule = delivery.schedule ?? { deliveries.async(execute: $0) }
    let observation = observation(in: store, .closure(schedule, onError: onError, body), nil)
    if delivery.isFirstImmediate { deliverFirst(to: observation, in: store) }
    return ObservationToken(.values(observation, sources), of: store)
  }

  /// Reads the current values on the calling thread, and delivers them.
  ///
  /// After a passing error the hub delivers them, when they can be read.
  private func deliverFirst(to observation: ValueObservation<Change>, in store: Store) {
    do {
      let (values, sequence) = try store.readLive { transaction, sequence in
        let values = try sources.compactMap { source in
          let computation = source.make()
          try computation.run(in: &transaction, at: sequence)
          return try computation.newValue()
        }
        return (values, sequence)
      }
      observation.deliverNow(values, sequence)
    } catch  where StoreError.isPassing(error) {
      return
    } catch {
      observation.fail(error, deliversNow: true)
    }
  }

  /// An observation of the target in a store.
  func observation(
    in store: Store, _ receiver: ValueObservation<Change>.Receiver, _ failure: LiveFailure?
  ) -> ValueObservation<Change> {
    let number = store.live.makeNumber()
    let hasErrorHandler = if case .closure(_, .some, _) = receiver { true } else { false }
    return ValueObservation(
      number, receiver,
      { [change] step in
        let (change, isEmpty) = try change(step)
        return isEmpty ? nil : change
      }, failure,
      onFailure: store.failureHandler(of: number, schema, hasErrorHandler: hasErrorHandler))
  }
}

extension _ObservationTarget {
  /// The target of one computation.
  init<Value: Sendable>(
    _ schema: Schema?, _ source: LiveSource,
    _ change: @escaping @Sendable (LiveStep.One<Value>) throws -> (change: Change, isEmpty: Bool)
  ) {
    self.init(schema: schema, sources: [source]) { step in
      func value(_ values: [any Sendable]) -> Value {
        guard let value = values.first as? Value else {
          preconditionFailure("A computation made a value of another type than \(Value.self).")
        }
        return value
      }
      return try change(
        LiveStep.One(
          sequence: step.sequence, before: step.before.map(value), after: value(step.after)))
    }
  }

  /// The target of a computed value, which is delivered itself unless it is the same as before.
  init(
    of schema: Schema?, isSame: @escaping @Sendable (Change, Change) -> Bool,
    _ make: @escaping @Sendable () -> any LiveComputation
  ) {
    self.init(schema, .computation(make)) { (step: LiveStep.One<Computed<Change>>) in
      let isEmpty = step.before.map { isSame($0.value, step.after.value) } ?? false
      return (step.after.value, isEmpty)
    }
  }

  /// The target of several others, whose changes are of one commit.
  init<each Part: Sendable>(
    _ targets: repeat _ObservationTarget<each Part>
  ) where Change == (repeat each Part) {
    var sources: [LiveSource] = []
    for target in repeat each targets { sources += target.sources }
    self.init(schema: nil, sources: sources) { step in
      var rest = step
      var isEmpty = true
      func next<C>(_ target: _ObservationTarget<C>) throws -> C {
        let count = target.sources.count
        let own = LiveStep(
          sequence: step.sequence, before: rest.before.map { Array($0.prefix(count)) },
          after: Array(rest.after.prefix(count)))
        rest.before?.removeFirst(count)
        rest.after.removeFirst(count)
        let (change, isSame) = try target.change(own)
        isEmpty = isEmpty && isSame
        return change
      }
      let changes = (repeat try next(each targets))
      return (changes, isEmpty && step.before != nil)
    }
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
