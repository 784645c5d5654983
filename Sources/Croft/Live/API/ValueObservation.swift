internal import Dispatch
import Synchronization

/// How a request is observed: what is computed, and how its values become changes.
public struct _ObservationTarget<Change: Sendable>: Sendable {
  /// Computes a change from values, also where they do not differ.
  typealias ChangeMaker = @Sendable (LiveStep) throws -> (change: Change, isEmpty: Bool)

  /// The model that a failure names; nil for several.
  let schema: Schema?
  /// What makes the computations of the values.
  let sources: [LiveSource]
  let change: ChangeMaker

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
      number, receiver, change, failure,
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

/// Delivers the changes of observed values to one closure or iterator.
///
/// Only the latest values wait, however many commits changed them: a slow observer gets one change,
/// from the values that were delivered last. The change is computed where it is delivered.
///
/// Threads: any; the state has a lock, which is not held while a change is computed or a closure
/// runs.
final class ValueObservation<Change: Sendable>: ValueObserver {
  enum Receiver: Sendable {
    case closure(
      Delivery.Schedule, onError: (@Sendable (any Error) -> Void)?, @Sendable (Change) -> Void)
    /// An iterator, which asks for the next change.
    case iterator
  }

  private struct State {
    /// Nil after the observation ended.
    var receiver: Receiver?
    var delivered: [any Sendable]?
    /// The latest values; nil where they were delivered.
    var pending: (values: [any Sendable], sequence: UInt64)?
    /// The commit of the last values that were taken.
    var sequence: UInt64 = 0
    /// Whether a delivery is on the closure's queue.
    var isScheduled = false
    var error: (any Error)?
    /// Whether its owner ended it.
    var isCancelled = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    var isReady: Bool { pending != nil && receiver != nil }
  }

  let number: Int
  private let makeChange: _ObservationTarget<Change>.ChangeMaker
  /// Has the error before an iterator is told that there is no other value.
  private let failure: LiveFailure?
  private let onFailure: @Sendable (any Error) -> Void
  private let state: Mutex<State>

  init(
    _ number: Int, _ receiver: Receiver,
    _ makeChange: @escaping _ObservationTarget<Change>.ChangeMaker, _ failure: LiveFailure?,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    self.number = number
    self.makeChange = makeChange
    self.failure = failure
    self.onFailure = onFailure
    state = Mutex(State(receiver: receiver))
  }

  var error: (any Error)? { state.withLock { $0.error } }

  func update(_ values: [any Sendable], _ sequence: UInt64) {
    state.withLock { state in
      // The hub may lack a commit whose values were delivered on the caller's thread.
      guard state.receiver != nil, sequence >= state.sequence else { return }
      (state.pending, state.sequence) = ((values, sequence), sequence)
    }
    schedule()
  }

  /// Delivers the first values on the calling thread, or the error of decoding them.
  func deliverNow(_ values: [any Sendable], _ sequence: UInt64) {
    state.withLock { state in
      (state.pending, state.sequence) = ((values, sequence), sequence)
      state.isScheduled = true
    }
    deliver(isFirst: true)
  }

  func fail(_ error: any Error) { fail(error, deliversNow: false) }

  /// Ends the observation with an error.
  ///
  /// - Parameter deliversNow: Whether the error is delivered on the calling thread.
  func fail(_ error: any Error, deliversNow: Bool) {
    guard let receiver = close(error) else { return }
    onFailure(error)
    guard case .closure(let schedule, let onError?, _) = receiver else { return }
    if deliversNow { return onError(error) }
    schedule { if !self.isCancelled { onError(error) } }
  }

  func end() {
    state.withLock { $0.isCancelled = true }
    _ = close(nil)
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the observation, and gives its receiver; nil where it had ended.
  private func close(_ error: (any Error)?) -> Receiver? {
    let (old, waiting) = state.withLock { state in
      let old = (state.receiver, state.waiting)
      if state.receiver != nil, let error {
        state.error = error
        failure?.error = error
      }
      (state.receiver, state.waiting) = (nil, [])
      (state.delivered, state.pending) = (nil, nil)
      return old
    }
    for continuation in waiting { continuation.resume() }
    // The closure is released outside the lock, because it may own other observations.
    return old
  }

  private func schedule() {
    var deliveries: Delivery.Schedule?
    let waiting = state.withLock { state in
      guard state.isReady else { return [CheckedContinuation<Void, Never>]() }
      if case .closure(let own, _, _) = state.receiver, !state.isScheduled {
        state.isScheduled = true
        deliveries = own
      }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
    deliveries? { self.deliver() }
  }

  /// Delivers the latest values to the closure.
  ///
  /// - Parameter isFirst: Whether an error is delivered on the calling thread too.
  private func deliver(isFirst: Bool = false) {
    state.withLock { $0.isScheduled = false }
    if let change = take(isFirst: isFirst),
      case .closure(_, _, let body) = state.withLock({ $0.receiver })
    {
      body(change)
    }
    // Values that came meanwhile are delivered after what else is on the queue.
    schedule()
  }

  /// Computes the pending change; nil where there is none.
  private func take(isFirst: Bool = false) -> Change? {
    while let step = nextStep() {
      do {
        let (change, isEmpty) = try makeChange(step)
        if !isEmpty { return change }
        // The next change starts from the values that were delivered.
        state.withLock { if $0.receiver != nil, let before = step.before { $0.delivered = before } }
      } catch {
        fail(error, deliversNow: isFirst)
      }
    }
    return nil
  }

  private func nextStep() -> LiveStep? {
    state.withLock { state in
      guard state.isReady, let (values, sequence) = state.pending else { return nil }
      defer { (state.delivered, state.pending) = (values, nil) }
      return LiveStep(sequence: sequence, before: state.delivered, after: values)
    }
  }

  /// Waits for the next change; nil when the observation has ended.
  func next(onCancel: @escaping @Sendable () -> Void) async -> Change? {
    await withTaskCancellationHandler {
      while true {
        if let change = take() { return change }
        if state.withLock({ $0.receiver == nil }) { return nil }
        await withCheckedContinuation { continuation in
          let isOver = state.withLock { state in
            if state.receiver == nil || state.isReady { return true }
            state.waiting.append(continuation)
            return false
          }
          if isOver { continuation.resume() }
        }
      }
    } onCancel: {
      onCancel()
    }
  }
}
