import Synchronization

/// A commit, and what it did to the objects of each model.
public struct StoreCommit: Sendable {
  /// The commit's number; of several commits delivered as one, that of the last.
  public let sequence: UInt64
  let catalog: Catalog?
  /// By the model's number; nil where anything may have changed.
  let tables: [Int: TableDelta]?
  /// Whether it has changes that were received from another replica, as far as this process knows.
  package var isRemote = false

  /// Whether objects of a model may have changed.
  public func concerns<M: Model>(_ model: M.Type) -> Bool {
    guard let tables else { return true }
    return delta(of: model, in: tables) != nil
  }

  /// The changed objects of a model, before and after the commit.
  ///
  /// - Returns: The objects, ascending by primary key; each once. Nil where they are not known:
  ///   another process or another ``Store`` of the file committed, more was changed than is
  ///   captured, or the reader is so slow that commits were delivered as one.
  /// - Throws: ``StoreError`` for a row that cannot be read as an object.
  /// - Complexity: O(*n*) for *n* changed objects, which are decoded.
  public func changes<M: Model>(of model: M.Type) throws -> [ObjectDelta<M>]? {
    guard let tables else { return nil }
    guard let delta = delta(of: model, in: tables) else { return [] }
    guard case .rows(let rows) = delta, rows.allSatisfy(\.isOldKnown) else { return nil }
    return try rows.map { row in
      ObjectDelta(old: try row.old?.object(as: M.self), new: try row.new?.object(as: M.self))
    }
  }

  private func delta<M: Model>(
    of model: M.Type, in tables: [Int: TableDelta]
  ) -> TableDelta? {
    // A model that the store was not opened with has no table, and no changes.
    guard let table = try? catalog?.table(of: M.schema) else { return nil }
    return tables[table.id]
  }
}

extension StoreCommit: CustomStringConvertible {
  /// The commit's number, and the count of changed objects of each model; no objects.
  public var description: String {
    guard let tables, let catalog else { return "commit \(sequence): anything" }
    let models = catalog.all.compactMap { table in
      tables[table.id].map { "\($0.countText) of \(table.schema.name)" }
    }
    return "commit \(sequence): " + (models.isEmpty ? "nothing" : models.joined(separator: ", "))
  }
}

extension TableDelta {
  fileprivate var countText: String {
    switch self {
    case .rows(let rows): "\(rows.count)"
    case .keys(let keys): "\(keys.count)"
    case .unknown: "any number"
    }
  }
}

extension Store {
  /// The commits from now on, each with the changed objects of each model.
  ///
  /// ```swift
  /// for await commit in store.commits {
  ///   for delta in try commit.changes(of: TodoItem.self) ?? [] { index(delta) }
  /// }
  /// ```
  /// Each commit is delivered once. Where a reader is much slower than the writers, the waiting
  /// commits are delivered as one, which lacks the changes. During an iteration, every
  /// write captures the rows of all models.
  public var commits: LiveChanges<StoreCommit> {
    LiveChanges { [self] failure in
      let number = live.makeNumber()
      let observation = CommitObservation(
        number, failure, onFailure: failureHandler(of: number, nil))
      return ChangeIterator(observation, of: self)
    }
  }
}

/// Delivers commits to one iterator, each once.
///
/// Threads: any; the state has a lock.
final class CommitObservation: LiveObserver {
  private struct State {
    var isOpen = true
    /// The last commit that is not delivered; nil until it is known.
    var start: UInt64?
    /// The last of the commits that are delivered as one; nil for none.
    var missedThrough: UInt64?
    var deltas: [CommitDelta] = []
    var byteCount = 0
    var error: (any Error)?
    var waiting: [CheckedContinuation<Void, Never>] = []

    var isReady: Bool { !isOpen || missedThrough != nil || !deltas.isEmpty }
  }

  let number: Int
  /// Has the error before the iterator is told that there is no other commit.
  private let failure: LiveFailure
  private let onFailure: @Sendable (any Error) -> Void
  private let state = Mutex(State())

  init(
    _ number: Int, _ failure: LiveFailure, onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    self.number = number
    self.failure = failure
    self.onFailure = onFailure
  }

  var error: (any Error)? { state.withLock { $0.error } }

  func begin(after sequence: UInt64) { state.withLock { $0.start = sequence } }

  /// Begins with one commit for those that may have been missed since the iterator was made.
  ///
  /// - Returns: False where it has begun already.
  func beginLate(after sequence: UInt64) -> Bool {
    guard state.withLock({ $0.start == nil }) else { return false }
    begin(after: 0)
    miss(through: sequence)
    begin(after: sequence)
    return true
  }

  func take(_ delta: CommitDelta) {
    add { state in
      guard let start = state.start, delta.sequence > start else { return }
      state.deltas.append(delta)
      state.byteCount += delta.byteCount
      guard
        state.deltas.count > Threshold.waitingCommits.value
          || state.byteCount > Threshold.waitingBytes.value
      else { return }
      CoverageMark.hit(.commitsMissed)
      (state.missedThrough, state.deltas, state.byteCount) = (delta.sequence, [], 0)
    }
  }

  func miss(through sequence: UInt64) {
    add { state in
      guard let start = state.start, sequence > start else { return }
      (state.missedThrough, state.deltas, state.byteCount) = (sequence, [], 0)
    }
  }

  func fail(_ error: any Error) { if close(error) { onFailure(error) } }

  func end() { _ = close(nil) }

  private func close(_ error: (any Error)?) -> Bool {
    let (wasOpen, waiting) = state.withLock { state in
      if state.isOpen, let error { failure.error = error }
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

  private func next() -> StoreCommit? {
    let (missed, delta) = state.withLock { state -> (UInt64?, CommitDelta?) in
      if let missed = state.missedThrough.take() { return (missed, nil) }
      guard !state.deltas.isEmpty else { return (nil, nil) }
      // At most a thousand deltas move, which costs less than decoding one.
      let delta = state.deltas.removeFirst()
      state.byteCount -= delta.byteCount
      return (nil, delta)
    }
    if let missed { return StoreCommit(sequence: missed, catalog: nil, tables: nil) }
    return delta.map {
      StoreCommit(
        sequence: $0.sequence, catalog: $0.catalog, tables: $0.tables, isRemote: $0.isRemote)
    }
  }

  /// Waits for the next commit; nil when the observation has ended.
  func next(onCancel: @escaping @Sendable () -> Void) async -> StoreCommit? {
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
