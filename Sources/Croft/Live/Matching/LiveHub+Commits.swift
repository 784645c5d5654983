internal import Dispatch
import Synchronization

extension LiveHub {
  /// A capture for a new transaction, where somebody wants to know what it does.
  ///
  /// - Parameters:
  ///   - catalog: The models that the transaction can change.
  ///   - logsCommit: Whether the log is to have the keys of all of them.
  func capture(for catalog: Catalog, logsCommit: Bool) -> ChangeCapture? {
    guard isObserved.load(ordering: .relaxed) else {
      return logsCommit ? ChangeCapture(catalog.capturedModels) : nil
    }
    let observed = incoming.withLock { $0.observed }
    return ChangeCapture(of: catalog) { model in
      max(observed.detail(of: model), logsCommit ? .keys : .nothing)
    }
  }

  /// A commit is about to be made, so that later ones are not taken for the next.
  ///
  /// - Returns: Whether anybody observes; then its end has to be told.
  func willCommit(_ sequence: UInt64) -> Bool {
    guard isObserved.load(ordering: .relaxed) else { return false }
    incoming.withLock { $0.inbox.announce(sequence) }
    return true
  }

  /// An announced commit failed.
  func didRollBack(_ sequence: UInt64, _ store: Store) {
    incoming.withLock { $0.inbox.withdraw(sequence) }
    queue.async { self.work(on: store) }
  }

  /// A commit is durable, announced or not.
  func didCommit(_ record: PendingCommit, wasExpected: Bool, _ store: Store) {
    // With the fence of `add`: an observer that this does not see will read this commit.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard wasExpected || isObserved.load(ordering: .relaxed) else { return }
    let skipped = record.capture?.segments.reduce(into: Set<Int>()) { $0.formUnion($1.skipped) }
    incoming.withLock { incoming in
      guard !incoming.observed.isEmpty else { return incoming.inbox.withdraw(record.sequence) }
      for number in skipped ?? [] {
        guard let observer = incoming.subjects[number]?.subject.observer else { continue }
        observer.hold(through: record.sequence)
        incoming.held.append((observer, record.sequence))
      }
      incoming.inbox.add(record)
    }
    queue.async { self.work(on: store) }
  }

  /// Somebody says what the last commit is, which may be another process's.
  ///
  /// - Parameter sequence: The commit's sequence; nil where it cannot be read, which the hub then
  ///   finds out by itself, and tells those who observe.
  func heard(of sequence: UInt64?, in store: Store) {
    guard isObserved.load(ordering: .relaxed) else { return }
    if let sequence { incoming.withLock { $0.inbox.hear(of: sequence) } }
    queue.async { self.work(on: store, looks: sequence == nil) }
  }

  /// Works off what came in, and what could not be read before; called on the queue.
  ///
  /// What cannot be read for a moment is left for the next call: it comes with the next commit, and
  /// when the file's watcher has read the file again, a second later at most.
  ///
  /// - Parameter looks: Whether to look for commits that nobody told of.
  func work(on store: Store, looks: Bool = false) {
    let (records, arriving, observed) = incoming.withLock { incoming in
      defer { incoming.arriving = [] }
      return (incoming.inbox.take(), incoming.arriving, incoming.observed)
    }
    let (position, delay, isNew) = state.withLock { state in
      let wasDelayed = state.delay != nil
      state.delay = nil
      for (observer, last) in arriving { state.add(observer, after: last) }
      carry(&state, records[...], observed, store, looks: looks || wasDelayed)
      let position = state.isEmpty ? UInt64.max : state.position
      if state.delay == nil { addWaiting(to: &state, store) }
      return (position, state.delay, !wasDelayed)
    }
    if let delay { wait(for: store, because: delay, isNew: isNew) }
    let released = incoming.withLock { incoming in
      let released = incoming.held.filter { $0.sequence <= position }
      incoming.held.removeAll { $0.sequence <= position }
      return released
    }
    for (observer, sequence) in released { observer.release(through: sequence) }
  }

  /// Carries the state to the last commit.
  private func carry(
    _ state: inout LiveState, _ records: ArraySlice<PendingCommit>, _ observed: ObservedRegions,
    _ store: Store, looks: Bool
  ) {
    if state.isEmpty { return }
    var (own, looks) = (records, looks)
    state.readAgain(store)
    state.follow(&own, observed, store)
    while !state.isEmpty, !own.isEmpty || looks || hearsOfMore(than: state.position) {
      looks = false
      let before = state.position
      guard let left = catchUp(&state, own, observed, store) else { return }
      own = left
      state.follow(&own, observed, store)
      if state.position == before { break }
    }
    giveBack(own)
  }

  /// Puts commits back that have to wait for others.
  private func giveBack(_ own: ArraySlice<PendingCommit>) {
    if own.isEmpty { return }
    incoming.withLock { incoming in
      for record in own { incoming.inbox.add(record) }
    }
  }

  /// Gives observers who wait for it what there is.
  private func addWaiting(to state: inout LiveState, _ store: Store) {
    let waiting = state.waiting
    state.waiting = []
    for subject in waiting {
      // It may have been cancelled meanwhile.
      let number = subject.observer.number
      guard incoming.withLock({ $0.subjects[number] != nil }) else { continue }
      do {
        try state.add(subject, store)
      } catch  where StoreError.isPassing(error) {
        state.delay = error
        state.waiting.append(subject)
      } catch {
        subject.observer.fail(error)
      }
    }
  }

  /// Sees to it that what could not be read is read later, and says so once.
  private func wait(for store: Store, because error: any Error, isNew: Bool) {
    incoming.withLock { $0.listening }?.tellAgain()
    guard isNew else { return }
    deliveries.async { [snapshots = store.snapshots] in
      snapshots.report(.observationsDelayed(reason: "\(error)"))
    }
  }

  /// Whether there is a commit past one that the hub shows, and none on its way here.
  private func hearsOfMore(than position: UInt64) -> Bool {
    incoming.withLock { incoming in
      let last = incoming.inbox.lastHeard
      return last > position && !incoming.inbox.awaits(through: last)
    }
  }

  /// Carries the state through commits of others, to the last one.
  ///
  /// - Parameter own: Commits of the store that lie behind others', or among them.
  /// - Returns: The commits of the store that are left to apply; nil where one is on its way that
  ///   has to come first, for which those given wait.
  private func catchUp(
    _ state: inout LiveState, _ own: ArraySlice<PendingCommit>, _ observed: ObservedRegions,
    _ store: Store
  ) -> ArraySlice<PendingCommit>? {
    let position = state.position
    var own = own
    do {
      let missed = try store.readLive { transaction, last -> ForeignCommits? in
        guard let all = claim(own, through: last, for: &state) else { return nil }
        own = all
        return try ForeignCommits(
          after: position, through: last, own: own, for: observed, in: transaction)
      }
      guard let missed else { return nil }
      switch missed.content {
      case .none: break
      case .step(let step): state.apply(step, store)
      case .unknown: state.readAll(store)
      }
      return missed.later
    } catch  where StoreError.isPassing(error) {
      state.delay = error
      giveBack(own)
      return nil
    } catch {
      state.readAll(store)
      return []
    }
  }

  /// The commits of the store that arrived, with those taken before; nil where they have to wait.
  ///
  /// Readers of commits who came meanwhile are met as well: some of these may be for them.
  private func claim(
    _ own: ArraySlice<PendingCommit>, through last: UInt64, for state: inout LiveState
  ) -> ArraySlice<PendingCommit>? {
    incoming.withLock { incoming in
      guard !incoming.inbox.awaits(through: last) else {
        for record in own { incoming.inbox.add(record) }
        return nil
      }
      for (observer, last) in incoming.arriving { state.add(observer, after: last) }
      incoming.arriving = []
      return own + incoming.inbox.take()
    }
  }
}
