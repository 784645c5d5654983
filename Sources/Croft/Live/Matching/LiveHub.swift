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
  /// What came in and is not worked off, and who is to be told.
  struct Incoming {
    var inbox = LiveHub.PendingCommits()
    var observed = ObservedRegions()
    var subjects: [Int: (subject: ObserverEntry, region: ObservedRegion)] = [:]
    /// Observers that wait for a commit which they asked not to hear of.
    var held: [(observer: any LiveObserver, sequence: UInt64)] = []
    /// Readers of commits that the hub has yet to meet, with the last commit that is not for them.
    var arriving: [(observer: CommitObservation, last: UInt64)] = []
    /// Tells of commits of others, as long as anybody observes.
    var listening: CommitSubscription?
  }

  /// Everything is worked out on it.
  let queue = DispatchQueue(label: "croft.live")
  /// Closures without a queue of their own are called on it.
  let deliveries = DispatchQueue(label: "croft.live.delivery")
  /// Whether anybody observes anything, so that others need not take the lock.
  let isObserved = Atomic(false)
  /// One for all stores, so that a number is one observer's in all of them.
  private static let lastNumber = Atomic(0)
  let incoming = Mutex(Incoming())
  let state = Mutex(LiveState())

  /// A number for a new observer, which no other has.
  func makeNumber() -> Int { Self.lastNumber.add(1, ordering: .relaxed).newValue }
}

extension LiveHub {
  /// Adds an observer, which is given what there is soon; later commits do not escape it.
  func add(_ subject: ObserverEntry, to store: Store) {
    do {
      let region = try subject.region(in: store.knownCatalog)
      incoming.withLock { incoming in
        incoming.observed.add(region)
        incoming.subjects[subject.observer.number] = (subject, region)
        if incoming.listening == nil { incoming.listening = store.listen() }
        isObserved.store(true, ordering: .sequentiallyConsistent)
      }
      // Whoever commits from here on either sees it, or is seen by the read that comes next.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if case .commits(let observer) = subject {
        try meet(observer, store)
        return queue.async { self.work(on: store) }
      }
    } catch  where !StoreError.isPassing(error) {
      return subject.observer.fail(error)
    } catch {
      // It is registered on the queue, which tries again.
    }
    queue.async { self.register(subject, store) }
  }

  /// Has a reader of commits told of all that come from now on.
  ///
  /// The queue meets it together with the first of them, and no later: the commits that have
  /// arrived are known to be older than what it is told first.
  private func meet(_ observer: CommitObservation, _ store: Store) throws {
    var isMet = false
    while !isMet {
      let last = try store.readLive { $1 }
      isMet = incoming.withLock { incoming in
        guard incoming.inbox.lastArrived <= last else { return false }
        observer.begin(after: last)
        incoming.arriving.append((observer, last))
        return true
      }
    }
  }

  private func register(_ subject: ObserverEntry, _ store: Store) {
    state.withLock { $0.waiting.append(subject) }
    // Who shares a result is given one that has the commits of others, too, which were made before.
    work(on: store, looks: true)
  }

  /// Removes an observer, which has ended; removing it again does nothing.
  func remove(_ number: Int) {
    let subject = incoming.withLock { incoming -> ObserverEntry? in
      guard let (subject, region) = incoming.subjects.removeValue(forKey: number) else {
        return nil
      }
      incoming.observed.remove(region)
      incoming.held.removeAll { $0.observer.number == number }
      incoming.arriving.removeAll { $0.observer.number == number }
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
