import Synchronization

/// The commits that one reader has yet to be given.
///
/// Threads: any; the state has a lock.
final class CommitObservation: LiveObserver {
  /// The most commits, and the most bytes of captures, that wait one by one.
  static var largestCount: Int { Threshold.waitingCommits.value }
  static var longestBytes: Int { Threshold.waitingBytes.value }

  private struct State {
    var isOpen = true
    /// The commit from which on there is something to tell; nil until it is known.
    var start: UInt64?
    /// Commits before all others of which it is only known that they were.
    var missedThrough: UInt64?
    var steps: [CommitDelta] = []
    var byteCount = 0
    var error: (any Error)?
    var waiting: [CheckedContinuation<Void, Never>] = []

    var isReady: Bool { !isOpen || missedThrough != nil || !steps.isEmpty }
  }

  let number: Int
  private let onFailure: @Sendable (any Error) -> Void
  private let state = Mutex(State())

  init(_ number: Int, onFailure: @escaping @Sendable (any Error) -> Void) {
    self.number = number
    self.onFailure = onFailure
  }

  var error: (any Error)? { state.withLock { $0.error } }

  func begin(after sequence: UInt64) { state.withLock { $0.start = sequence } }

  /// Begins late, with one commit for those that there may have been since it was asked to begin.
  ///
  /// - Returns: False where it has begun already.
  func beginLate(after sequence: UInt64) -> Bool {
    guard state.withLock({ $0.start == nil }) else { return false }
    begin(after: 0)
    miss(through: sequence)
    begin(after: sequence)
    return true
  }

  /// Takes a commit.
  func take(_ step: CommitDelta) {
    add { state in
      guard let start = state.start, step.sequence > start else { return }
      state.steps.append(step)
      state.byteCount += step.byteCount
      guard state.steps.count > Self.largestCount || state.byteCount > Self.longestBytes else {
        return
      }
      CoverageMark.hit(.commitsMissed)
      (state.missedThrough, state.steps, state.byteCount) = (step.sequence, [], 0)
    }
  }

  /// Commits were missed, and what they did is not known.
  func miss(through sequence: UInt64) {
    add { state in
      guard let start = state.start, sequence > start else { return }
      (state.missedThrough, state.steps, state.byteCount) = (sequence, [], 0)
    }
  }

  // Writes name observers of results, so there is nothing to wait for.
  func hold(through sequence: UInt64) {}
  func release(through sequence: UInt64) {}

  func fail(_ error: any Error) { if close(error) { onFailure(error) } }

  func end() { _ = close(nil) }

  private func close(_ error: (any Error)?) -> Bool {
    let (wasOpen, waiting) = state.withLock { state in
      defer { state = State(isOpen: false, error: state.isOpen ? error : state.error) }
      return (state.isOpen, state.waiting)
    }
    for continuation in waiting { continuation.resume() }
    return wasOpen
  }

  private func add(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      if state.isOpen { change(&state) }
      guard state.isReady else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func next() -> Commit? {
    let (missed, step) = state.withLock { state -> (UInt64?, CommitDelta?) in
      if let missed = state.missedThrough.take() { return (missed, nil) }
      guard !state.steps.isEmpty else { return (nil, nil) }
      let step = state.steps.removeFirst()
      state.byteCount -= step.byteCount
      return (nil, step)
    }
    if let missed { return Commit(sequence: missed, nil, nil) }
    return step.map { Commit(sequence: $0.sequence, $0.catalog, $0.changes) }
  }

  /// Waits for the next commit; nil when it has ended.
  func next(onCancel: @escaping @Sendable () -> Void) async -> Commit? {
    await withTaskCancellationHandler {
      while true {
        if let commit = next() { return commit }
        if state.withLock({ !$0.isOpen }) { return nil }
        await withCheckedContinuation { continuation in
          let isOver = state.withLock { state in
            if state.isReady { return true }
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
