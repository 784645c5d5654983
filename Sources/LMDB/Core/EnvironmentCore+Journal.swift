internal import Dispatch
internal import Synchronization

// What the environment does for its journal outside transactions.
extension EnvironmentCore {
  /// Sees to it that the journal rests when no transaction follows for a while.
  ///
  /// One timer is enough for all transactions: where another one has followed, it starts again.
  func scheduleRest() {
    guard journal != nil else { return }
    lastWriteAt.store(Deadline.coarseNow, ordering: .relaxed)
    if !isRestScheduled.exchange(true, ordering: .sequentiallyConsistent) { startRestTimer() }
  }

  private func startRestTimer() {
    let seconds = 1
    let queue = DispatchQueue.global(qos: .utility)
    queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      guard let self else { return }
      // A transaction that ends from here on starts a timer of its own.
      isRestScheduled.store(false, ordering: .sequentiallyConsistent)
      let idle = Deadline.coarseNow &- lastWriteAt.load(ordering: .sequentiallyConsistent)
      // The clock is precise to a few milliseconds.
      if idle < UInt64(seconds) * 990_000_000 || !rest() {
        journal?.synchronizeRecords()
        if !isRestScheduled.exchange(true, ordering: .sequentiallyConsistent) { startRestTimer() }
      }
    }
  }

  /// Makes a checkpoint, or lets go of old pages while another process writes; false while a thread writes.
  @discardableResult
  func rest() -> Bool {
    guard let journal, isOfThisProcess, !isOfOtherFile, !growth.isMapLost.load(ordering: .relaxed)
    else { return true }
    return writerLock.whileNoThreadWrites { isAlone in
      guard isAlone else { return journal.letGo() }
      journal.rest(handle, at: readers.withMapHeld { handle.lastTransaction })
    }
  }

  /// Closes the journal, which changes the data file and none of its pages.
  ///
  /// - Parameter deadline: When it is left open, because a thread writes or the journal rests.
  func closeJournal(before deadline: Deadline = .farAhead) {
    guard let journal, !isOfOtherFile else { return }
    // The last commit is read from the map.
    guard !growth.isMapLost.load(ordering: .relaxed) else { return journal.synchronizeRecords() }
    // The session of a thread that writes stays open. Records that nobody has waited for are synced all the same.
    guard writerLock.keep(before: deadline) else { return journal.synchronizeRecords() }
    let version = handle.lastTransaction
    let isSound = soundState != nil
    journal.close(handle) { () throws(LMDBError) in
      // Programs that look at the file, or copy it, have it for a moment.
      try file.lock(before: Deadline(after: .seconds(1)))
    } unlock: {
      file.unlock()
    }
    if isSound { soundCommit.withLock { $0 = SoundCommit(version) } }
  }
}

extension Environment {
  /// Makes the checkpoint of an idle journal, as a timer does after a second.
  package func restJournal() { core.rest() }
}
