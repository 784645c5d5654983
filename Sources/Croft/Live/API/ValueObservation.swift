internal import Dispatch
import Synchronization

/// Delivers the changes of one observed value to one closure or iterator.
///
/// Only the latest value waits, however many commits changed it: a slow observer gets one change,
/// from the value that was delivered last. The change is computed where it is delivered.
///
/// Threads: any; the state has a lock, which is not held while a change is computed or a closure
/// runs.
final class ValueObservation<Value: Sendable, Change: Sendable>: ValueObserver {
  /// The values that a change leads between.
  struct Step: Sendable {
    let sequence: UInt64
    /// The value that was delivered last; nil at first.
    let before: Value?
    /// The last value whose rows were decoded, where that is not `before`.
    let decoded: Value?
    let after: Value
  }

  /// Computes changes from values.
  struct ChangeBuilder: Sendable {
    /// Computes a change; nil where the values do not differ.
    let change: @Sendable (Step) throws -> Change?
    /// Applies the difference of two later values to the delivered value.
    let merge: @Sendable (_ delivered: Value, _ before: Value, _ after: Value) -> Value
  }

  /// What receives the changes.
  enum Receiver: Sendable {
    case closure(
      DispatchQueue, onError: (@Sendable (any Error) -> Void)?, @Sendable (Change) -> Void)
    /// An iterator, which asks for the next change.
    case iterator
  }

  private struct State {
    /// Nil after the observation ended.
    var receiver: Receiver?
    var delivered: Value?
    var decoded: Value?
    var latest: Value?
    var sequence: UInt64 = 0
    /// Whether the latest value was not delivered.
    var isPending = false
    /// The commit up to which nothing is delivered; 0 for none.
    var heldThrough: UInt64 = 0
    /// The changes skipped while the pending change was computed.
    var skippedMeanwhile: [(before: Value, after: Value)] = []
    /// Whether a delivery is on the closure's queue.
    var isScheduled = false
    var error: (any Error)?
    /// Whether its owner ended it.
    var isCancelled = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    var isReady: Bool { isPending && heldThrough == 0 && receiver != nil }
  }

  let number: Int
  private let builder: ChangeBuilder
  /// Has the error before an iterator is told that there is no other value.
  private let failure: LiveFailure?
  private let onFailure: @Sendable (any Error) -> Void
  private let state: Mutex<State>

  /// Makes an observation without a value.
  ///
  /// - Parameters:
  ///   - number: Its number in the hub.
  ///   - receiver: What receives the changes.
  ///   - builder: Computes the changes.
  ///   - failure: Gets the error that ended it.
  ///   - onFailure: Called once with the error that ended it, where one did.
  init(
    _ number: Int, _ receiver: Receiver, _ builder: ChangeBuilder, _ failure: LiveFailure?,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    self.number = number
    self.builder = builder
    self.failure = failure
    self.onFailure = onFailure
    state = Mutex(State(receiver: receiver))
  }

  var error: (any Error)? { state.withLock { $0.error } }

  func update(_ value: Value, _ sequence: UInt64) {
    state.withLock { state in
      guard state.receiver != nil else { return }
      (state.latest, state.sequence, state.isPending) = (value, sequence, true)
    }
    schedule()
  }

  func skip(from before: Value, to after: Value) {
    state.withLock { state in
      // An observer that waits for its first value gets all rows with it.
      guard let delivered = state.delivered else { return }
      if state.decoded == nil { state.decoded = delivered }
      state.delivered = builder.merge(delivered, before, after)
      state.skippedMeanwhile.append((before, after))
    }
  }

  func hold(through sequence: UInt64) {
    state.withLock { $0.heldThrough = max($0.heldThrough, sequence) }
  }

  func release(through sequence: UInt64) {
    state.withLock { if $0.heldThrough <= sequence { $0.heldThrough = 0 } }
    schedule()
  }

  func fail(_ error: any Error) {
    guard let receiver = close(error) else { return }
    onFailure(error)
    guard case .closure(let queue, let onError?, _) = receiver else { return }
    queue.async { if !self.isCancelled { onError(error) } }
  }

  func end() {
    state.withLock { $0.isCancelled = true }
    _ = close(nil)
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the observation.
  ///
  /// - Returns: The receiver; nil where the observation had ended.
  private func close(_ error: (any Error)?) -> Receiver? {
    let (old, waiting) = state.withLock { state in
      let old = (state.receiver, state.waiting)
      if state.receiver != nil, let error {
        state.error = error
        failure?.error = error
      }
      (state.receiver, state.waiting) = (nil, [])
      (state.delivered, state.decoded, state.latest) = (nil, nil, nil)
      state.skippedMeanwhile = []
      return old
    }
    for continuation in waiting { continuation.resume() }
    // The closure is released outside the lock, because it may own other observations.
    return old
  }

  /// Schedules the delivery of the latest value.
  private func schedule() {
    var queue: DispatchQueue?
    let waiting = state.withLock { state in
      guard state.isReady else { return [CheckedContinuation<Void, Never>]() }
      if case .closure(let own, _, _) = state.receiver, !state.isScheduled {
        state.isScheduled = true
        queue = own
      }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
    queue?.async { self.deliver() }
  }

  /// Delivers the latest value to the closure.
  private func deliver() {
    state.withLock { $0.isScheduled = false }
    if let change = take(), case .closure(_, _, let body) = state.withLock({ $0.receiver }) {
      body(change)
    }
    // A value that came meanwhile is delivered after what else is on the queue.
    schedule()
  }

  /// Computes the pending change; nil where there is none.
  private func take() -> Change? {
    while let step = nextStep() {
      do {
        if let change = try builder.change(step) { return change }
        restore(step)
      } catch {
        fail(error)
      }
    }
    return nil
  }

  /// Keeps the value that was delivered last, after a step without a change.
  private func restore(_ step: Step) {
    state.withLock { state in
      guard state.receiver != nil, let before = step.before else { return }
      if state.decoded == nil { state.decoded = state.delivered }
      state.delivered = state.skippedMeanwhile.reduce(before) {
        builder.merge($0, $1.before, $1.after)
      }
    }
  }

  private func nextStep() -> Step? {
    state.withLock { state in
      guard state.isReady, let latest = state.latest else { return nil }
      defer {
        (state.delivered, state.decoded, state.isPending) = (latest, nil, false)
        state.skippedMeanwhile = []
      }
      return Step(
        sequence: state.sequence, before: state.delivered, decoded: state.decoded, after: latest)
    }
  }

  /// Waits for the next change; nil when the observation has ended.
  ///
  /// - Parameter onCancel: Called when the task is cancelled.
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

// How the result of a query becomes a change.

extension ValueObservation.ChangeBuilder where Value == ResultRows {
  /// Computes the changes of a query's result.
  static func results<M: Model>(
    of core: QueryCore, fields: [Int]?
  ) -> Self where Change == ResultChange<M> {
    Self { step in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        return ResultChange(
          sequence: step.sequence, before: .empty, after: step.after, diff: ResultDiff(),
          isInitial: true)
      }
      let diff = ResultDiff(from: before, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff : nil)
      if diff.isEmpty { return nil }
      return ResultChange(sequence: step.sequence, before: before, after: step.after, diff: diff)
    } merge: { delivered, before, after in
      delivered.merged(from: before, to: after, core)
    }
  }

  /// Computes the changes of a query's result in sections.
  static func sections<M: Model, Key: Ordered>(
    of core: QueryCore, by code: SectionCode, fields: [Int]?
  ) -> Self where Change == SectionedChange<M, Key> {
    let cache = SectionsCache()
    return Self { step in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        let sections = SectionedRows(step.after, code)
        cache.set(sections)
        return SectionedChange(sequence: step.sequence, initial: sections)
      }
      let sections = cache.sections(of: before) ?? SectionedRows(before, code)
      let diff = SectionedDiff(from: sections, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff.rows : nil)
      // The next change starts from what was delivered, so an empty one is not cached.
      if diff.isEmpty { return nil }
      cache.set(diff.after)
      return SectionedChange(sequence: step.sequence, before: sections, diff: diff)
    } merge: { delivered, before, after in
      delivered.merged(from: before, to: after, core)
    }
  }
}

extension ValueObservation.Step where Value == ResultRows {
  /// Decodes the rows of the new result that were not decoded before.
  ///
  /// - Parameters:
  ///   - model: The rows' model.
  ///   - diff: The difference of the step; nil where it leaves out modifications.
  /// - Throws: ``StoreError`` for a row that cannot be read as an object.
  func check<M: Model>(as model: M.Type, after diff: ResultDiff?) throws {
    if let diff, decoded == nil { return try after.check(as: M.self, after: diff) }
    guard let earlier = decoded ?? before else { return try after.check(as: M.self) }
    try after.check(as: M.self, after: ResultDiff(from: earlier, to: after))
  }
}

extension ResultRows {
  /// Decodes rows of the window, and throws where a fetch would.
  ///
  /// - Parameters:
  ///   - model: The rows' model.
  ///   - diff: The difference to an earlier version: only new rows are decoded. Nil for all rows.
  /// - Throws: ``StoreError`` as a fetch of a row does.
  func check<M: Model>(as model: M.Type, after diff: ResultDiff? = nil) throws {
    guard let diff else {
      return try tree.forEach(in: window) { _ = try $0.object(as: model) }
    }
    for place in diff.insertions { _ = try self[place].object(as: model) }
    for place in diff.modificationsAfter { _ = try self[place].object(as: model) }
    for move in diff.moves where move.isModified { _ = try self[move.to].object(as: model) }
  }
}
