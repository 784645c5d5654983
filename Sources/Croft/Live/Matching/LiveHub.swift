internal import Dispatch
import Synchronization

/// Keeps the live queries of a store up to date.
///
/// The way of a commit, step by step:
/// 1. The writer calls ``willCommit(_:)``, and after the commit ``didCommit(_:wasExpected:_:)``,
///    which puts the commit into ``PendingCommits`` under a short lock.
/// 2. The hub's queue takes the commits in order: ``processCommits(of:)``.
/// 3. Each commit is decoded as a ``CommitDelta``, which ``LiveState`` applies to its queries.
/// 4. Each computation that changed hands its new value to its observers, which deliver it on queues of
///    their own.
///
/// So the writer pays for no observer.
///
/// Threads: any. `incoming` has a lock that is held briefly; `state` has one that only the hub's
/// queue takes.
final class LiveHub: Sendable {
  /// The registered observers, and the commits that wait for the hub's queue.
  struct Incoming {
    var pending = PendingCommits()
    var observed = ObservedRegions()
    var observers: [Int: (entry: ObserverEntry, region: ObservedRegion)] = [:]
    /// What the computations have read, by their numbers.
    var computed: [Int: ObservedRegion] = [:]
    /// Observers that wait for their first value.
    var starting: [ObserverEntry] = []
    /// Whether the queue will take what is here; then nothing needs to be put into the queue.
    var isScheduled = false
    /// Whether to look for commits that were not reported.
    var checksFile = false
    /// Observers of commits that the state does not have yet, each with the last commit before it.
    var newCommitObservers: [(observer: CommitObservation, last: UInt64)] = []
    /// Reports commits of others while there are observers.
    var subscription: CommitSubscription?
  }

  /// The queue on which commits are processed.
  let queue = DispatchQueue(label: "croft.live")
  /// The queue on which closures without a queue of their own are called.
  let deliveries = DispatchQueue(label: "croft.live.delivery")
  /// Whether there are observers; a writer reads it without a lock.
  let isObserved = Atomic(false)
  /// One counter for all stores, so that an observer's number is unique in the process.
  private static let lastNumber = Atomic(0)
  let incoming = Mutex(Incoming())
  let state = Mutex(LiveState())

  func makeNumber() -> Int { Self.lastNumber.add(1, ordering: .relaxed).newValue }

  /// Waits until all earlier commits are processed and delivered on the hub's own queue, for tests.
  ///
  /// Then no transaction of the hub or of its watcher shows an earlier commit. What closures do
  /// meanwhile may need another call.
  func drain() {
    incoming.withLock { $0.subscription }?.drain()
    repeat { queue.sync {} } while incoming.withLock { $0.isScheduled }
    deliveries.sync {}
  }

  /// Runs a body while no commit is processed, for tests.
  func waiting<R>(_ body: () throws -> R) rethrows -> R {
    queue.suspend()
    defer { queue.resume() }
    return try body()
  }
}

// The writer's side.

extension LiveHub {
  /// A capture for a new transaction; nil without observers.
  func capture(for catalog: Catalog) -> ChangeCapture? {
    guard isObserved.load(ordering: .relaxed) else { return nil }
    let observed = incoming.withLock { $0.observed }
    return ChangeCapture(of: catalog) { observed.detail(of: $0) }
  }

  /// Expects a commit, so that later ones wait for it; true where the hub must be called after it.
  func willCommit(_ sequence: UInt64) -> Bool {
    guard isObserved.load(ordering: .relaxed) else { return false }
    incoming.withLock { $0.pending.expect(sequence) }
    return true
  }

  /// Stops expecting a commit that failed.
  func didRollBack(_ sequence: UInt64, _ store: Store) {
    incoming.withLock { $0.pending.cancel(sequence) }
    schedule(store)
  }

  /// Takes a commit that is durable, whether it was expected or not.
  func didCommit(_ commit: PendingCommit, wasExpected: Bool, _ store: Store) {
    // Pairs with the fence of `add`: an observer that is not seen here will read this commit.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard wasExpected || isObserved.load(ordering: .relaxed) else { return }
    incoming.withLock { incoming in
      guard !incoming.observers.isEmpty else { return incoming.pending.cancel(commit.sequence) }
      incoming.pending.add(commit)
    }
    schedule(store)
  }

  /// Takes the sequence of the file's last commit, which may be another process's.
  ///
  /// - Parameter sequence: The sequence; nil where it could not be read. The hub then reads the
  ///   file itself, and reports the error to the observers.
  func didFindCommit(_ sequence: UInt64?, in store: Store) {
    guard isObserved.load(ordering: .relaxed) else { return }
    incoming.withLock { incoming in
      if let sequence { incoming.pending.note(sequence) } else { incoming.checksFile = true }
    }
    schedule(store)
  }

  /// Lets the queue process what has arrived, unless it is about to.
  ///
  /// So one block at most waits in the queue, however late the hub is, and a block of another
  /// kind, such as one that removes an observer, waits for no more than that one.
  private func schedule(_ store: Store) {
    let isScheduled = incoming.withLock { incoming in
      defer { incoming.isScheduled = true }
      return incoming.isScheduled
    }
    if isScheduled { return }
    queue.async { self.processCommits(of: store) }
  }
}

// The hub's queue.

extension LiveHub {
  /// Applies the commits that arrived, and retries reads that failed; called on the queue.
  ///
  /// A read that fails for a moment is left for the next call. That comes with the next commit, and
  /// when the file's watcher has read the file again, a second later at most.
  func processCommits(of store: Store) {
    let arrived = incoming.withLock { incoming in
      defer {
        (incoming.newCommitObservers, incoming.starting) = ([], [])
        (incoming.isScheduled, incoming.checksFile) = (false, false)
      }
      return (
        commits: incoming.pending.take(), observers: incoming.newCommitObservers,
        starting: incoming.starting, checksFile: incoming.checksFile
      )
    }
    let (retryReason, isNew) = state.withLock { state in
      let wasRetrying = state.retryReason != nil
      state.retryReason = nil
      for (observer, last) in arrived.observers { state.add(observer, after: last) }
      state.waiting += arrived.starting
      // A result that a new observer shares may lack earlier commits of others.
      let checksFile = arrived.checksFile || wasRetrying || !arrived.starting.isEmpty
      let isBehind = !advance(&state, arrived.commits[...], store, checksFile: checksFile)
      addWaiting(to: &state, isBehind: isBehind, store)
      return (state.retryReason, !wasRetrying)
    }
    if let retryReason { requestRetry(of: store, because: retryReason, isNew: isNew) }
  }

  /// What the observers need now: a computation that was run again may need other models than before.
  var observed: ObservedRegions { incoming.withLock { $0.observed } }

  /// Advances the state through the commits that have arrived, and once through those of others.
  ///
  /// Commits that are found meanwhile are left for another call, so that what else waits for the
  /// queue has its turn: the state never catches up with writers that are faster.
  ///
  /// - Returns: Whether no known commit is left.
  private func advance(
    _ state: inout LiveState, _ commits: ArraySlice<PendingCommit>, _ store: Store,
    checksFile: Bool
  ) -> Bool {
    if state.isEmpty { return true }
    var own = commits
    state.retryRuns(store)
    applyNext(&own, to: &state, store)
    if state.isEmpty || own.isEmpty && !checksFile && !hasForeignCommits(past: state.position) {
      return true
    }
    let before = state.position
    guard let left = applyForeignCommits(to: &state, own, store) else { return false }
    own = left
    applyNext(&own, to: &state, store)
    requeue(own)
    if state.isEmpty || own.isEmpty && !hasForeignCommits(past: state.position) { return true }
    // If nothing was applied, the next notification of a commit continues.
    if state.position > before { schedule(store) }
    return false
  }

  /// Applies the store's own commits, up to the first gap that commits of others leave.
  ///
  /// Starts new observers between batches: under steady writes the queue never drains.
  ///
  /// - Parameter own: The commits in order; those after a gap remain.
  private func applyNext(
    _ own: inout ArraySlice<PendingCommit>, to state: inout LiveState, _ store: Store
  ) {
    var count = 0
    while let commit = own.first, commit.sequence <= state.position + 1 {
      own.removeFirst()
      if commit.sequence > state.position {
        state.apply(CommitDelta(commit, for: observed), store)
        count += 1
      }
      if count == Threshold.commitsBetweenStarts.value, !own.isEmpty {
        count = 0
        startAmongCommits(&state, store)
      }
    }
  }

  /// Starts the observers that have arrived since, before the commits that wait are applied.
  private func startAmongCommits(_ state: inout LiveState, _ store: Store) {
    state.waiting += incoming.withLock { incoming in
      defer { incoming.starting = [] }
      return incoming.starting
    }
    if state.waiting.isEmpty { return }
    CoverageMark.hit(.startedAmongCommits)
    addWaiting(to: &state, isBehind: true, store)
  }

  /// Whether there is a commit past a position, and no commit of this store is expected before it.
  private func hasForeignCommits(past position: UInt64) -> Bool {
    incoming.withLock { incoming in
      let last = incoming.pending.lastKnown
      return last > position && !incoming.pending.expects(through: last)
    }
  }

  func requeue(_ own: ArraySlice<PendingCommit>) {
    if own.isEmpty { return }
    incoming.withLock { incoming in
      for commit in own { incoming.pending.add(commit) }
    }
  }

  /// Gives new observers their first value; the state may lack commits that were made before them.
  private func addWaiting(to state: inout LiveState, isBehind: Bool, _ store: Store) {
    // Also where something could not be read: the other values are handed over.
    defer { state.publish() }
    if state.retryReason != nil { return }
    let waiting = state.waiting
    state.waiting = []
    for entry in waiting {
      // The observer may have been removed since it was registered.
      let number = entry.observer.number
      guard incoming.withLock({ $0.observers[number] != nil }) else { continue }
      do {
        try state.add(entry, isBehind: isBehind, store)
      } catch  where StoreError.isPassing(error) {
        state.retryReason = error
        state.waiting.append(entry)
      } catch {
        entry.observer.fail(error)
      }
    }
  }

  /// Asks the watcher for another report, with which the hub retries, and reports a new error once.
  private func requestRetry(of store: Store, because error: any Error, isNew: Bool) {
    incoming.withLock { $0.subscription }?.requestReport()
    guard isNew else { return }
    deliveries.async { [snapshots = store.snapshots] in
      snapshots.report(.observationsDelayed(reason: "\(error)"))
    }
  }

  /// The commits of this store on their way to the hub, in the order of their sequences.
  ///
  /// A value without threads or locks. A commit is expected before it is made, and added when it
  /// is durable: one that is added early waits for the expected ones before it.
  struct PendingCommits {
    private struct Entry {
      let sequence: UInt64
      /// Nil until the commit is durable.
      var commit: PendingCommit?
    }

    /// Ascending by sequence.
    private var entries: [Entry] = []
    /// The captured bytes that wait.
    private(set) var byteCount = 0
    /// The limit; smaller in tests.
    var longestBytes = Threshold.queuedCommitBytes.value
    /// The last commit that is known to exist without being here: dropped, or of another store.
    private(set) var lastKnown: UInt64 = 0
    /// The newest commit that was added.
    private(set) var lastArrived: UInt64 = 0

    /// How many commits wait or are expected.
    var count: Int { entries.count }

    mutating func expect(_ sequence: UInt64) { insert(Entry(sequence: sequence, commit: nil)) }

    mutating func cancel(_ sequence: UInt64) {
      // Expected commits are near the end, however many wait before them.
      let place = entries.lastIndex { $0.sequence == sequence && $0.commit == nil }
      if let place { entries.remove(at: place) }
    }

    /// Adds a commit that is durable, whether it was expected or not.
    mutating func add(_ commit: PendingCommit) {
      cancel(commit.sequence)
      insert(Entry(sequence: commit.sequence, commit: commit))
      lastArrived = max(lastArrived, commit.sequence)
      byteCount += commit.byteCount
      if byteCount > longestBytes { drop() }
    }

    mutating func note(_ sequence: UInt64) { lastKnown = max(lastKnown, sequence) }

    /// Takes the commits before the first expected one.
    mutating func take() -> [PendingCommit] {
      let end = entries.firstIndex { $0.commit == nil } ?? entries.count
      let commits = entries[..<end].compactMap(\.commit)
      entries.removeFirst(end)
      byteCount -= commits.reduce(0) { $0 + $1.byteCount }
      return commits
    }

    func expects(through sequence: UInt64) -> Bool {
      entries.contains { $0.sequence <= sequence && $0.commit == nil }
    }

    /// Removes the commits that wait; expected ones stay.
    mutating func clear() {
      entries.removeAll { $0.commit != nil }
      byteCount = 0
    }

    private mutating func insert(_ entry: Entry) {
      let place = entries.lastIndex { $0.sequence <= entry.sequence }.map { $0 + 1 } ?? 0
      entries.insert(entry, at: place)
    }

    /// Drops the commits that wait, because the hub does not keep up.
    private mutating func drop() {
      CoverageMark.hit(.commitQueueOverflowed)
      for entry in entries where entry.commit != nil { note(entry.sequence) }
      clear()
    }
  }

  /// A commit of this store that the hub has yet to process.
  ///
  /// The writer hands it over as it is: nothing is decoded on the writer's thread.
  struct PendingCommit: Sendable {
    let sequence: UInt64
    /// The catalog whose layouts read the captured rows.
    let catalog: Catalog
    /// The captured changes; nil where there was no observer when the transaction began.
    let capture: ChangeCapture?
    var origin = Store.Origin.local

    /// About how much memory it takes.
    var byteCount: Int { capture?.bytes.count ?? 0 }
  }

  /// Adds an observer, which soon gets the current value and then every later change.
  func add(_ entry: ObserverEntry, to store: Store) {
    do {
      try EventLoop.start(for: store.schemaUpdate.path)
      let region = try entry.region(in: store.knownCatalog)
      incoming.withLock { incoming in
        incoming.observed.add(region)
        incoming.observers[entry.observer.number] = (entry, region)
        if incoming.subscription == nil { incoming.subscription = store.watchCommits() }
        isObserved.store(true, ordering: .sequentiallyConsistent)
      }
      // A later commit either sees the observer, or is seen by the read that comes next.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if case .commits(let observer) = entry {
        try begin(observer, store)
        return schedule(store)
      }
    } catch  where !StoreError.isPassing(error) {
      return entry.observer.fail(error)
    } catch {
      // The queue registers the observer, and tries again.
    }
    incoming.withLock { $0.starting.append(entry) }
    schedule(store)
  }

  /// Begins an observation of commits at the last commit.
  ///
  /// The state gets the observer together with the first later commit: the commits that have
  /// arrived are known to be older.
  private func begin(_ observer: CommitObservation, _ store: Store) throws {
    var hasBegun = false
    while !hasBegun {
      let last = try store.readLive { $1 }
      hasBegun = incoming.withLock { incoming in
        guard incoming.pending.lastArrived <= last else { return false }
        observer.begin(after: last)
        incoming.newCommitObservers.append((observer, last))
        return true
      }
    }
  }

  /// Sets what a computation needs of commits, when it is known or has changed; nil when removed.
  func setRegion(of number: Int, to region: ObservedRegion?) {
    incoming.withLock { incoming in
      if let old = incoming.computed[number] { incoming.observed.remove(old) }
      if let region { incoming.observed.add(region) }
      incoming.computed[number] = region
    }
  }

  /// Removes an observer that has ended; removing it again does nothing.
  func remove(_ number: Int) {
    let entry = incoming.withLock { incoming -> ObserverEntry? in
      guard let (entry, region) = incoming.observers.removeValue(forKey: number) else {
        return nil
      }
      incoming.observed.remove(region)
      incoming.starting.removeAll { $0.observer.number == number }
      incoming.newCommitObservers.removeAll { $0.observer.number == number }
      if incoming.observers.isEmpty {
        isObserved.store(false, ordering: .relaxed)
        incoming.pending.clear()
        incoming.subscription = nil
      }
      return entry
    }
    guard let entry else { return }
    queue.async { self.state.withLock { $0.remove(entry, self) } }
  }
}
