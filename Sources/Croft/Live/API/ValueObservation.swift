internal import Dispatch
import Synchronization

/// What one observer was told, and what it has yet to be told.
///
/// Only the last version waits, however many there were: who is slow gets one change, from what
/// it was told last. The change is worked out where it is taken.
///
/// Threads: any; the state has a lock, which is not held while a change is made or a closure runs.
final class ValueObservation<Version: Sendable, Change: Sendable>: ValueObserver {
  /// What leads from what was told to what is.
  struct Step: Sendable {
    let sequence: UInt64
    /// What was told last; nil at first.
    let before: Version?
    /// What the program was shown to be able to read, where that is not `before`.
    let checked: Version?
    let after: Version
  }

  /// How versions become changes.
  struct Form: Sendable {
    /// Makes a change; nil where there is none.
    let change: @Sendable (Step) throws -> Change?
    /// What was told, with what leads from one later version to another put into it.
    let patch: @Sendable (_ told: Version, _ before: Version, _ after: Version) -> Version
  }

  /// Where changes go.
  enum Reader: Sendable {
    case closure(
      DispatchQueue, onError: (@Sendable (any Error) -> Void)?, @Sendable (Change) -> Void)
    /// Whoever asks for the next one.
    case iterator
  }

  private struct State {
    /// Nil when it has ended.
    var reader: Reader?
    var told: Version?
    var checked: Version?
    var latest: Version?
    var sequence: UInt64 = 0
    /// Whether the latest version has yet to be told.
    var isFresh = false
    /// Up to which commit nothing is told; 0 for none.
    var heldThrough: UInt64 = 0
    /// What was skipped while a change was made of the version that is told.
    var skippedMeanwhile: [(before: Version, after: Version)] = []
    /// Whether a delivery is under way.
    var isScheduled = false
    var error: (any Error)?
    /// Whether its owner ended it.
    var isCancelled = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    var isReady: Bool { isFresh && heldThrough == 0 && reader != nil }
  }

  let number: Int
  private let form: Form
  private let onFailure: @Sendable (any Error) -> Void
  private let state: Mutex<State>

  /// Makes an observation without a version.
  ///
  /// - Parameters:
  ///   - number: Its number in the hub.
  ///   - reader: Where changes go.
  ///   - form: How changes are made.
  ///   - onFailure: Hears once why it ended, where it failed.
  init(
    _ number: Int, _ reader: Reader, _ form: Form,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    self.number = number
    self.form = form
    self.onFailure = onFailure
    state = Mutex(State(reader: reader))
  }

  var error: (any Error)? { state.withLock { $0.error } }

  func update(_ version: Version, _ sequence: UInt64) {
    state.withLock { state in
      guard state.reader != nil else { return }
      (state.latest, state.sequence, state.isFresh) = (version, sequence, true)
    }
    announce()
  }

  func skip(from before: Version, to after: Version) {
    state.withLock { state in
      // Who has heard nothing hears of all at first.
      guard let told = state.told else { return }
      if state.checked == nil { state.checked = told }
      state.told = form.patch(told, before, after)
      state.skippedMeanwhile.append((before, after))
    }
  }

  func hold(through sequence: UInt64) {
    state.withLock { $0.heldThrough = max($0.heldThrough, sequence) }
  }

  func release(through sequence: UInt64) {
    state.withLock { if $0.heldThrough <= sequence { $0.heldThrough = 0 } }
    announce()
  }

  func fail(_ error: any Error) {
    guard let reader = close(error) else { return }
    onFailure(error)
    guard case .closure(let queue, let onError?, _) = reader else { return }
    queue.async { if !self.isCancelled { onError(error) } }
  }

  func end() {
    state.withLock { $0.isCancelled = true }
    _ = close(nil)
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends it; where changes went, or nil where it had ended.
  private func close(_ error: (any Error)?) -> Reader? {
    let (old, waiting) = state.withLock { state in
      let old = (state.reader, state.waiting)
      if state.reader != nil { state.error = error }
      (state.reader, state.waiting) = (nil, [])
      (state.told, state.checked, state.latest) = (nil, nil, nil)
      state.skippedMeanwhile = []
      return old
    }
    for continuation in waiting { continuation.resume() }
    // The closure goes outside the lock: what it holds may have observations of its own.
    return old
  }

  /// Sees to it that the latest version is told.
  private func announce() {
    var queue: DispatchQueue?
    let waiting = state.withLock { state in
      guard state.isReady else { return [CheckedContinuation<Void, Never>]() }
      if case .closure(let own, _, _) = state.reader, !state.isScheduled {
        state.isScheduled = true
        queue = own
      }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
    queue?.async { self.deliver() }
  }

  /// Tells the latest version to the closure.
  private func deliver() {
    state.withLock { $0.isScheduled = false }
    if let change = take(), case .closure(_, _, let body) = state.withLock({ $0.reader }) {
      body(change)
    }
    // What came meanwhile waits behind what else waits in the queue.
    announce()
  }

  /// The change that waits, if one does.
  private func take() -> Change? {
    while let step = nextStep() {
      do {
        if let change = try form.change(step) { return change }
        keep(step)
      } catch {
        fail(error)
      }
    }
    return nil
  }

  /// Notes that a step was not told: what was told last stays so, though more can be read.
  private func keep(_ step: Step) {
    state.withLock { state in
      guard state.reader != nil, let before = step.before else { return }
      if state.checked == nil { state.checked = state.told }
      state.told = state.skippedMeanwhile.reduce(before) { form.patch($0, $1.before, $1.after) }
    }
  }

  private func nextStep() -> Step? {
    state.withLock { state in
      guard state.isReady, let latest = state.latest else { return nil }
      defer {
        (state.told, state.checked, state.isFresh) = (latest, nil, false)
        state.skippedMeanwhile = []
      }
      return Step(
        sequence: state.sequence, before: state.told, checked: state.checked, after: latest)
    }
  }

  /// Waits for the next change; nil when it has ended.
  ///
  /// - Parameter onCancel: Called when the task is cancelled.
  func next(onCancel: @escaping @Sendable () -> Void) async -> Change? {
    await withTaskCancellationHandler {
      while true {
        if let change = take() { return change }
        if state.withLock({ $0.reader == nil }) { return nil }
        await withCheckedContinuation { continuation in
          let isOver = state.withLock { state in
            if state.reader == nil || state.isReady { return true }
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
