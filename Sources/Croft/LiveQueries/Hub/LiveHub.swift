internal import Dispatch
import Synchronization

/// Keeps the live queries of a store up to date.
///
/// A commit puts its record into the inbox, under a short lock and after it is durable, in the order
/// of commits. A queue of the hub's own works the records off: nothing that observers cost is on
/// the writer's way. What is told leaves on the observers' queues.
///
/// Threads: any. The inbox has a lock that nothing long is done under; the state has one that only
/// the queue takes.
final class LiveHub: Sendable {
  private struct Incoming {
    var inbox = CommitInbox()
    var observed = ObservedModels()
    var subjects: [Int: (subject: LiveSubject, interest: ObservedModels.Interest)] = [:]
    /// Observers that wait for a commit which they asked not to hear of.
    var held: [(observer: any LiveObserver, sequence: UInt64)] = []
    /// Tells of commits of others, as long as anybody observes.
    var listening: CommitListening?
  }

  /// Everything is worked out on it.
  private let queue = DispatchQueue(label: "croft.live")
  /// Closures without a queue of their own are called on it.
  let deliveries = DispatchQueue(label: "croft.live.delivery")
  /// Whether anybody observes anything, so that others need not take the lock.
  private let isObserved = Atomic(false)
  private let lastNumber = Atomic(0)
  private let incoming = Mutex(Incoming())
  private let state = Mutex(LiveState())

  /// A number for a new observer.
  func makeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

  /// How many observers there are.
  var observerCount: Int { incoming.withLock { $0.subjects.count } }
}

// Observers come and go.

extension LiveHub {
  /// Adds an observer, which is given what there is soon; later commits do not escape it.
  func add(_ subject: LiveSubject, to store: Store) {
    do {
      let interest = try subject.interest(in: store.knownCatalog)
      incoming.withLock { incoming in
        incoming.observed.add(interest)
        incoming.subjects[subject.observer.number] = (subject, interest)
        if incoming.listening == nil { incoming.listening = store.listen() }
      }
      // Whoever commits from here on either sees it, or is seen by the read that comes next.
      isObserved.store(true, ordering: .sequentiallyConsistent)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    } catch {
      return subject.observer.fail(error)
    }
    queue.async { self.register(subject, store) }
  }

  private func register(_ subject: LiveSubject, _ store: Store) {
    // It may have been cancelled meanwhile.
    let number = subject.observer.number
    guard incoming.withLock({ $0.subjects[number] != nil }) else { return }
    work(on: store)
    do {
      try state.withLock { try $0.add(subject, store) }
    } catch {
      subject.observer.fail(error)
      remove(number)
    }
  }

  /// Removes an observer, which has ended.
  func remove(_ number: Int) {
    let subject = incoming.withLock { incoming -> LiveSubject? in
      guard let (subject, interest) = incoming.subjects.removeValue(forKey: number) else {
        return nil
      }
      incoming.observed.remove(interest)
      incoming.held.removeAll { $0.observer.number == number }
      if incoming.observed.isEmpty {
        isObserved.store(false, ordering: .relaxed)
        incoming.inbox.clear()
        incoming.listening = nil
      }
      return subject
    }
    guard let subject else { return }
    queue.async { self.state.withLock { $0.remove(number, from: subject) } }
  }
}

// Commits come in.

extension LiveHub {
  /// A journal for a new transaction, where somebody wants to know what it does.
  ///
  /// - Parameters:
  ///   - catalog: The models that the transaction can change.
  ///   - logsCommit: Whether the log is to have the keys of all of them.
  func journal(for catalog: Catalog, logsCommit: Bool) -> ChangeJournal? {
    guard isObserved.load(ordering: .relaxed) else {
      return logsCommit ? ChangeJournal(catalog.journalModels) : nil
    }
    let observed = incoming.withLock { $0.observed }
    return ChangeJournal(of: catalog) { model in
      max(observed.detail(of: model.id), logsCommit ? .keys : .nothing)
    }
  }

  /// A commit is about to be made, so that later ones are not taken for the next.
  ///
  /// - Returns: Whether anybody observes; then its end has to be told.
  func announce(_ sequence: UInt64) -> Bool {
    guard isObserved.load(ordering: .relaxed) else { return false }
    incoming.withLock { $0.inbox.announce(sequence) }
    return true
  }

  /// An announced commit failed.
  func withdraw(_ sequence: UInt64, _ store: Store) {
    incoming.withLock { $0.inbox.withdraw(sequence) }
    queue.async { self.work(on: store) }
  }

  /// A commit is durable, announced or not.
  func publish(_ record: CommitRecord, isAnnounced: Bool, _ store: Store) {
    // With the fence of `add`: an observer that this does not see will read this commit.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard isAnnounced || isObserved.load(ordering: .relaxed) else { return }
    let skipped = record.journal?.segments.reduce(into: Set<Int>()) { $0.formUnion($1.skipped) }
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

  /// Works off what came in; called on the queue.
  ///
  /// - Parameter looks: Whether to look for commits that nobody told of.
  private func work(on store: Store, looks: Bool = false) {
    let (records, observed) = incoming.withLock { ($0.inbox.take(), $0.observed) }
    let position = state.withLock { state in
      if state.isEmpty { return UInt64.max }
      var (own, looks) = (records[...], looks)
      state.follow(&own, observed, store)
      while !state.isEmpty, !own.isEmpty || looks || hearsOfMore(than: state.position) {
        looks = false
        let before = state.position
        guard let left = catchUp(&state, own, observed, store) else { break }
        own = left
        state.follow(&own, observed, store)
        if state.position == before { break }
      }
      return state.position
    }
    let released = incoming.withLock { incoming in
      let released = incoming.held.filter { $0.sequence <= position }
      incoming.held.removeAll { $0.sequence <= position }
      return released
    }
    for (observer, sequence) in released { observer.release(through: sequence) }
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
    _ state: inout LiveState, _ own: ArraySlice<CommitRecord>, _ observed: ObservedModels,
    _ store: Store
  ) -> ArraySlice<CommitRecord>? {
    let position = state.position
    do {
      let missed = try store.readLive { transaction, last -> MissedCommits? in
        guard let own = claim(own, through: last) else { return nil }
        return try MissedCommits(
          after: position, through: last, own: own, for: observed, in: transaction)
      }
      guard let missed else { return nil }
      switch missed.content {
      case .none: break
      case .step(let step): state.apply(step, store)
      case .unknown: state.readAll(store)
      }
      return missed.later
    } catch {
      state.readAll(store)
      return []
    }
  }

  /// The commits of the store that arrived, with those taken before; nil where they have to wait.
  private func claim(
    _ own: ArraySlice<CommitRecord>, through last: UInt64
  ) -> ArraySlice<CommitRecord>? {
    incoming.withLock { incoming in
      guard incoming.inbox.awaits(through: last) else { return own + incoming.inbox.take() }
      for record in own { incoming.inbox.add(record) }
      return nil
    }
  }

  /// Waits until all that was committed so far is worked out, and told on the hub's own queue.
  ///
  /// For tests; what closures do meanwhile may need another call.
  func drain() {
    queue.sync {}
    deliveries.sync {}
  }

  /// What is kept now, for tests.
  var size: Size {
    var size = inspect { state in
      var size = Size()
      state.count(into: &size)
      return size
    }
    incoming.withLock { incoming in
      size.observers = incoming.subjects.count
      size.heldObservers = incoming.held.count
      size.waitingCommits = incoming.inbox.count
      size.waitingBytes = incoming.inbox.byteCount
    }
    return size
  }

  /// Sets how many bytes of commits wait at most, for tests.
  func setInboxBound(_ bytes: Int) { incoming.withLock { $0.inbox.longestBytes = bytes } }

  /// Looks at the state on the queue, for tests.
  func inspect<R: Sendable>(_ body: @Sendable (LiveState) -> R) -> R {
    queue.sync { state.withLock { body($0) } }
  }
}
