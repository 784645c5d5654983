internal import CroftLibc
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

extension EnvironmentRegistry {
  /// The forks before the last opening of a file with a journal.
  private static let forksAtLastOpening = Atomic(0)

  /// Makes a normal end of the process close the journals of files that are still open.
  ///
  /// A program that keeps a store in a global variable never releases it. Threads that would write wait from then
  /// on, until the process has ended. The corresponding C function is `atexit`.
  static func closeJournalsAtExit() {
    forksAtLastOpening.store(ForkDetector.current, ordering: .relaxed)
    isRegistered
  }

  private static let isRegistered: Void = {
    _ = atexit {
      // In a child of a fork that has opened nothing, another thread of the parent may hold the registry for ever.
      guard ForkDetector.current == forksAtLastOpening.load(ordering: .relaxed) else { return }
      for core in EnvironmentRegistry.openCores where core.isOfThisProcess {
        core.closeJournal(before: Deadline(after: .seconds(1)))
      }
    }
  }()
}
