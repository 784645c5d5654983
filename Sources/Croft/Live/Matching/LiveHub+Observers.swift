internal import Dispatch
import Synchronization

extension LiveHub {
  /// Adds an observer, which soon gets the current value and then every later change.
  func add(_ entry: ObserverEntry, to store: Store) {
    do {
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
        return queue.async { self.processCommits(of: store) }
      }
    } catch  where !StoreError.isPassing(error) {
      return entry.observer.fail(error)
    } catch {
      // The queue registers the observer, and tries again.
    }
    queue.async { self.register(entry, store) }
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

  private func register(_ entry: ObserverEntry, _ store: Store) {
    state.withLock { $0.waiting.append(entry) }
    // A result that the observer shares may lack earlier commits of others.
    processCommits(of: store, checksFile: true)
  }

  /// Sets what an observer needs of commits, once that is known, or when it has changed.
  func setRegion(of number: Int, to region: ObservedRegion) {
    incoming.withLock { incoming in
      guard let (entry, old) = incoming.observers[number] else { return }
      // A region without rows and keys would let the hub drop commits.
      let region = region.isEmpty ? ObservedRegion(isUnread: true) : region
      incoming.observed.add(region)
      incoming.observed.remove(old)
      incoming.observers[number] = (entry, region)
    }
  }

  /// Removes an observer that has ended; removing it again does nothing.
  func remove(_ number: Int) {
    let entry = incoming.withLock { incoming -> ObserverEntry? in
      guard let (entry, region) = incoming.observers.removeValue(forKey: number) else {
        return nil
      }
      incoming.observed.remove(region)
      incoming.held.removeAll { $0.observer.number == number }
      incoming.newCommitObservers.removeAll { $0.observer.number == number }
      if incoming.observed.isEmpty {
        isObserved.store(false, ordering: .relaxed)
        incoming.pending.clear()
        incoming.subscription = nil
      }
      return entry
    }
    guard let entry else { return }
    queue.async { self.state.withLock { $0.remove(number, from: entry) } }
  }
}
