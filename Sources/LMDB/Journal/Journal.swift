internal import Synchronization

/// The redo journal of an open environment, as its writers use it.
///
/// The article "Journal" has the rules that its steps keep, by the same numbers.
///
/// Threads: `@unchecked` because what changes is used with the writer's lock held; the rest is atomic.
final class Journal: @unchecked Sendable {
  /// The commits after which a checkpoint is made; see ``Threshold/commitsBetweenCheckpoints``.
  private static var mostCommits: Int { Threshold.commitsBetweenCheckpoints.value }
  /// How many checkpoints may follow the pin, which keeps pages from being reused.
  private static let mostPinAge: UInt64 = 2

  let journalFile: JournalFile
  private let file: DataFile
  /// Whether this process may be the one that opens a session; false once the disk had no room for it.
  private var mayOpenSession: Bool
  /// Whether commits of this process do not wait for their records.
  private let isRelaxed: Bool

  /// What the transaction of the running writer did.
  let record = RedoRecord()
  /// The checkpoint and the place of the next record; nil while commits are LMDB's own.
  private var state: (checkpoint: Checkpoint, position: JournalFile.Position)?
  /// What the journal had before its records when they were last read.
  private var lastFront: JournalFile.Front?
  /// The transaction that keeps the pages of the checkpoint from being reused.
  private var pin: TransactionHandle?
  /// The checkpoint after which the pin was taken.
  private var pinGeneration: UInt64 = 0
  /// The record of the running transaction, where it is in the file.
  private var pending: JournalFile.Record?
  /// How many transactions of this process have committed.
  private var commitCount = 0
  /// The commit that the pin sees, of which statistics say nothing; 0 without a pin.
  let pinnedVersion = Atomic(0)
  /// The session of records that were written without a sync, nil while all are on the disk; and how many were.
  private let unsynced = Mutex<(session: JournalMarker.Session?, count: Int)>((nil, 0))
  /// Whether a failure has left the journal and the data file so that nothing may be committed.
  private let hasFailed = Atomic(false)

  init(
    _ journalFile: JournalFile, of file: DataFile, _ durability: Environment.Durability
  ) {
    self.journalFile = journalFile
    self.file = file
    isRelaxed = durability == .relaxed
    mayOpenSession = isRelaxed || durability == .journal
  }

  /// Whether an earlier failure forbids every write until the file is opened again.
  var isUnusable: Bool { hasFailed.load(ordering: .relaxed) }

  /// Whether the running transaction commits by way of the journal, so that a replay may begin before it.
  var isUsed: Bool {
    state != nil || record.isRecording && !record.isPartial && record.byteCount > 0
  }

  /// Whether the pin may have to be let go of.
  var hasPin: Bool { pinnedVersion.load(ordering: .relaxed) != 0 }
}

// A transaction, from its beginning to its end.
extension Journal {
  /// Prepares for a transaction that has begun and changed nothing yet.
  ///
  /// Until its second commit a process opens no session, and later with the first one that has a record of its
  /// operations: a program that writes once, or much at a time, commits in LMDB's way.
  func begin(_ transaction: TransactionHandle, in handle: EnvironmentHandle) throws(LMDBError) {
    let last = transaction.id - 1
    if state == nil {
      let marker = try file.journalMarker
      guard let marker, marker.isOpen else {
        if mayOpenSession, commitCount > 0 { prepareSession(handle) }
        return
      }
      try join(marker.session, handle)
    }
    try catchUp(with: last)
    try keepPages(of: last, handle)
    record.begin()
    // Without a pin, no other commit may build on this one before its pages are on the disk.
    if pin == nil { record.skip() }
  }

  /// Continues a session that another process has opened.
  private func join(
    _ session: JournalMarker.Session, _ handle: EnvironmentHandle
  ) throws(LMDBError) {
    guard let checkpoint = try journalFile.front.checkpoint, checkpoint.session == session else {
      throw LMDBError(.beginWrite, .journalMissing, file.path)
    }
    do throws(LMDBError) {
      // Its process may have died before the two were on the disk.
      try journalFile.synchronize()
      try file.setJournalMarker(JournalMarker(session: session))
    } catch {
      throw fail(session, error)
    }
    state = (checkpoint, JournalFile.Position(after: checkpoint))
    handle.setSynchronizesCommits(false)
  }

  /// Keeps the pages of the last commit, which is the first checkpoint if the transaction opens a session.
  private func prepareSession(_ handle: EnvironmentHandle) {
    takePin(handle)
    if pin != nil { record.begin() }
  }

  /// Whether there is room for records; where the disk is full, commits are LMDB's own.
  private func hasRoomForSession() -> Bool {
    do throws(LMDBError) {
      try journalFile.makeRoom()
      return true
    } catch {
      mayOpenSession = false
      return false
    }
  }

  /// Makes the last commit the first checkpoint of a new session, before one that changed its pages.
  ///
  /// The data file says that there is a session when the checkpoint is on the disk, and not before.
  private func openSession(at last: Int, _ handle: EnvironmentHandle) throws(LMDBError) {
    let session = JournalMarker.Session.random
    let meta = try metaPage(of: last)
    // A sync of it may have failed in a process that does not wait for its commits, and no later one would write it.
    try file.write(meta, ofTransaction: last)
    try synchronizePages(handle)
    let generation = try journalFile.front.checkpoint.map { $0.generation + 1 } ?? 1
    let checkpoint = try Checkpoint(
      session, generation, isRelaxed: isRelaxed, meta, of: file.path)
    try journalFile.write(checkpoint)
    do throws(LMDBError) {
      try file.setJournalMarker(JournalMarker(session: session))
    } catch {
      throw fail(session, error)
    }
    state = (checkpoint, JournalFile.Position(after: checkpoint))
    pinGeneration = generation
    handle.setSynchronizesCommits(false)
  }

  /// Moves past the records that other processes have written.
  private func catchUp(with last: Int) throws(LMDBError) {
    let front = try journalFile.front(since: lastFront)
    lastFront = front
    guard var (checkpoint, position) = state else { return }
    guard front.failedSession != checkpoint.session else {
      throw fail(checkpoint.session, LMDBError(.beginWrite, .panic, file.path))
    }
    guard let newest = front.checkpoint, newest.session == checkpoint.session else {
      throw LMDBError(.beginWrite, .journalMissing, file.path)
    }
    if newest.generation != checkpoint.generation {
      // Its process may have died before it was on the disk, and the records before it are overwritten now.
      try synchronizeJournal(of: checkpoint.session)
      (checkpoint, position) = (newest, JournalFile.Position(after: newest))
    }
    // The next record overwrites an erased one, or the next checkpoint makes it void, and either is synced; or
    // the record is not, and a power cut must not bring back the erased one in its place.
    if try journalFile.skipRecords(to: last, from: &position), checkpoint.isRelaxed {
      try synchronizeJournal(of: checkpoint.session)
    }
    state = (checkpoint, position)
  }

  /// Sees to it that the pages of the checkpoint are not reused, by this process or later ones.
  private func keepPages(of last: Int, _ handle: EnvironmentHandle) throws(LMDBError) {
    guard let (checkpoint, position) = state else { return }
    let isContinued = position.transaction == last && !position.isAfterPartialRecord
    let isPinned = pin != nil && pinGeneration + Self.mostPinAge >= checkpoint.generation
    if isRelaxed, !checkpoint.isRelaxed {
      try makeCheckpoint(of: last, handle)
    } else if isContinued, checkpoint.transaction == last {
      if pin == nil || pinGeneration < checkpoint.generation { renewPin(handle) }
    } else if !isContinued || !isPinned || last - checkpoint.transaction >= Self.mostCommits {
      try makeCheckpoint(of: last, handle)
    }
  }

  /// Commits a transaction: its record is on the disk before another process can see it.
  ///
  /// - Returns: The code, and whether a failed commit may come back.
  func commit(
    _ transaction: TransactionHandle, in handle: EnvironmentHandle
  ) -> (code: Int32, isOutcomeUnknown: Bool) {
    defer { record.end() }
    guard isUsed, state != nil || hasRoomForSession() else {
      return commitAlone(transaction, handle)
    }
    let number = transaction.id
    do throws(LMDBError) {
      // A transaction that an error has broken cannot commit, and gets no record.
      _ = try transaction.statistics(of: TransactionHandle.namesSlot)
    } catch {
      transaction.abort()
      return (error.code.rawValue, false)
    }
    do throws(LMDBError) {
      if state == nil { try openSession(at: number - 1, handle) }
      if record.byteCount > 0 || record.isPartial { try write(number, handle) }
    } catch {
      transaction.abort()
      if state == nil { dropPin() }
      // Records of earlier commits that are not synced may be lost, and no later sync would tell.
      return (error.code.rawValue, !retract(endsSession: state?.checkpoint.isRelaxed == true))
    }
    // Where the record has no operations, the pages are on the disk before the commit can be seen.
    if record.isPartial { handle.setSynchronizesCommits(true) }
    let code = transaction.commit()
    if record.isPartial { handle.setSynchronizesCommits(false) }
    guard code == 0 else {
      // Where the sync of its pages has failed, those of earlier commits may be lost as well.
      var isSyncLost = record.isPartial && file.cause(of: code) == .inputOutput
      // What it failed with need not tell: another descriptor gets the error once more, which says no more than that.
      if record.isPartial, (try? file.synchronize()) == nil { isSyncLost = true }
      return (code, !retract(endsSession: isSyncLost))
    }
    return finish(number, handle)
  }

  /// Commits a transaction in LMDB's way, outside a session.
  private func commitAlone(
    _ transaction: TransactionHandle, _ handle: EnvironmentHandle
  ) -> (code: Int32, isOutcomeUnknown: Bool) {
    defer { dropPin() }
    let number = transaction.id
    let code = transaction.commit()
    guard code == 0 else { return (code, false) }
    commitCount += 1
    // Nothing else would write its meta page soon.
    guard isRelaxed, handle.lastTransaction == number, handle.synchronize() != 0 else {
      return (0, false)
    }
    do throws(LMDBError) {
      // The system takes the page for written now, and without it the next commit would not follow another one.
      try file.write(try metaPage(of: number), ofTransaction: number)
      try synchronizePages(handle)
      return (0, false)
    } catch {
      return (error.code.rawValue, true)
    }
  }

  /// Writes the record of a transaction, after a checkpoint where it does not fit.
  private func write(_ number: Int, _ handle: EnvironmentHandle) throws(LMDBError) {
    let operations = record.isPartial ? [] : record.operations
    if let position = state?.position,
      !journalFile.hasRoom(for: operations.count, at: position)
    {
      try makeCheckpoint(of: number - 1, handle)
    }
    guard let (checkpoint, position) = state else { return }
    pending = try journalFile.write(
      operations, of: number, isPartial: record.isPartial, at: position, waits: !isRelaxed)
    // Not before: a sync that runs meanwhile may have come too early for the record.
    if isRelaxed { unsynced.withLock { $0 = (checkpoint.session, $0.count + 1) } }
  }

  /// Takes back the record of a transaction that has not committed; false when that fails.
  ///
  /// - Parameter endsSession: Whether the state of the disk is unknown.
  private func retract(endsSession: Bool) -> Bool {
    pending = nil
    guard let (checkpoint, position) = state, journalFile.hasRoom(for: 0, at: position) else {
      return true
    }
    do throws(LMDBError) {
      try journalFile.erase(at: position)
      try journalFile.synchronize()
      if endsSession { _ = fail(checkpoint.session, LMDBError(.commit, .inputOutput, file.path)) }
      return true
    } catch {
      _ = fail(checkpoint.session, error)
      return false
    }
  }

  /// Moves past the record of a transaction that has committed.
  ///
  /// Where its operations are not there, the pages are synced before the commit is acknowledged. That is so
  /// also where nothing was noted and LMDB has written pages all the same.
  private func finish(
    _ number: Int, _ handle: EnvironmentHandle
  ) -> (code: Int32, isOutcomeUnknown: Bool) {
    defer { pending = nil }
    // The C library makes no commit of a transaction that changed nothing.
    guard handle.lastTransaction == number else { return (0, false) }
    commitCount += 1
    if let pending {
      state?.position.advance(past: pending)
      if !pending.isPartial { return (0, false) }
    }
    do throws(LMDBError) {
      try makeCheckpoint(of: number, handle)
      return (0, false)
    } catch {
      return (error.code.rawValue, true)
    }
  }
}

// Checkpoints, and the end.
extension Journal {
  /// Makes the last commit the checkpoint: its pages are synced, then the checkpoint is written.
  private func makeCheckpoint(
    of last: Int, _ handle: EnvironmentHandle, isPinned: Bool = true
  ) throws(LMDBError) {
    guard let old = state?.checkpoint else { return }
    do throws(LMDBError) {
      try synchronizePages(handle)
      let checkpoint = try Checkpoint(
        old.session, old.generation + 1, isRelaxed: isRelaxed || old.isRelaxed,
        try metaPage(of: last), of: file.path)
      try journalFile.write(checkpoint)
      unsynced.withLock { $0.session = nil }
      state = (checkpoint, JournalFile.Position(after: checkpoint))
    } catch {
      // The state of the disk is unknown, and a replay makes it known.
      throw fail(old.session, error)
    }
    if isPinned { renewPin(handle) }
  }

  /// Waits until what all processes have written to the journal is on the disk.
  ///
  /// Where that fails once, it may succeed without effect when it is repeated: the session has failed.
  private func synchronizeJournal(of session: JournalMarker.Session) throws(LMDBError) {
    do throws(LMDBError) {
      try journalFile.synchronize()
    } catch {
      throw fail(session, error)
    }
  }

  private func synchronizePages(_ handle: EnvironmentHandle) throws(LMDBError) {
    let code = handle.synchronize()
    guard code == 0 else { throw LMDBError(.commit, code, file.path) }
  }

  /// The first bytes of the meta page of the last commit, while nobody else writes.
  private func metaPage(of last: Int) throws(LMDBError) -> [UInt8] {
    let (page, newest) = try file.newestMetaPage
    guard newest.transaction == last else {
      throw LMDBError(.commit, .corrupted, "\(file.path); its meta page")
    }
    return page
  }

  /// Pins the last commit, which is the checkpoint, instead of an earlier one.
  private func renewPin(_ handle: EnvironmentHandle) {
    guard let checkpoint = state?.checkpoint else { return }
    takePin(handle)
    pinGeneration = checkpoint.generation
  }

  /// Pins the last commit; without a reader slot nothing is pinned afterwards.
  private func takePin(_ handle: EnvironmentHandle) {
    if let pin {
      pin.reset()
      if pin.renew() != 0 { dropPin() }
    } else {
      pin = handle.begin(isReadOnly: true).handle
    }
    pinnedVersion.store(pin?.id ?? 0, ordering: .relaxed)
  }

  private func dropPin() {
    pinnedVersion.store(0, ordering: .relaxed)
    pin?.abort()
    pin = nil
  }

  /// Makes a checkpoint and lets go of old pages, when this process has not written for a while.
  ///
  /// The caller holds the writer's lock.
  ///
  /// - Parameter last: The last commit.
  func rest(_ handle: EnvironmentHandle, at last: Int) {
    guard !isUnusable else { return }
    // First, since nobody else writes: a checkpoint would pin its commit, by way of a map that a reader may be moving.
    dropPin()
    guard state != nil else { return }
    do throws(LMDBError) {
      try catchUp(with: last)
      if state?.checkpoint.transaction != last {
        try makeCheckpoint(of: last, handle, isPinned: false)
      }
    } catch {
      // The next transaction gets the same error, and throws it.
    }
  }

  /// Lets go of old pages when another process is writing.
  func letGo() {
    dropPin()
    synchronizeRecords()
  }

  /// Waits until records that were written without a sync are on the disk.
  ///
  /// Threads: any, also while another one writes.
  func synchronizeRecords() {
    let (session, count) = unsynced.withLock { $0 }
    guard let session, !isUnusable else { return }
    do throws(LMDBError) {
      try synchronizeJournal(of: session)
      // Not before: another thread that comes here meanwhile waits for the disk as well. And a record that has come
      // meanwhile may have come too late for this sync.
      unsynced.withLock { if $0.count == count { $0.session = nil } }
    } catch {
      // The session has failed, which the next transaction throws.
    }
  }

  /// Ends the use of the journal; the last user that may write leaves a data file that is complete without it.
  ///
  /// - Parameter lock: Acquires the writer's lock; false when another process has it.
  func close(_ handle: EnvironmentHandle, lock: () throws(LMDBError) -> Bool, unlock: () -> Void) {
    defer { dropPin() }
    // A process that failed leaves the session open: the next one replays it.
    guard !isUnusable, let marker = try? file.journalMarker, marker.isOpen else { return }
    do throws(LMDBError) {
      try journalFile.whileUsersStay(within: JournalFile.leastTimeout) { () throws(LMDBError) in
        guard try !journalFile.hasOtherUsers(areWriting: true), try lock() else { return }
        defer { unlock() }
        guard try journalFile.front.failedSession != marker.session else { return }
        dropPin()
        do throws(LMDBError) {
          try synchronizePages(handle)
          try file.closeJournalSession(marker.session)
          unsynced.withLock { $0.session = nil }
        } catch {
          // While a reader keeps the file from being replayed, nobody may write to it.
          throw fail(marker.session, error)
        }
      }
    } catch {
      // The session stays open, and nothing is lost: the next opening replays it.
    }
    // Another process that may never write again has the session now.
    synchronizeRecords()
  }

  /// Records that a session cannot be continued, and returns the error that says so.
  private func fail(_ session: JournalMarker.Session, _ error: LMDBError) -> LMDBError {
    hasFailed.store(true, ordering: .relaxed)
    journalFile.recordFailure(in: session)
    return error
  }
}
