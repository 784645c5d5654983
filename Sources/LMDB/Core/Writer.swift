internal import Synchronization

/// The lock of the writer, which one thread of one process holds at a time.
///
/// The C library's own lock waits without a timeout, and deadlocks when its owner asks again. So
/// this one is acquired first: among the threads of this process, then among processes by a lock on
/// the data file. The C library's lock is then free, unless a program that does not use this module
/// holds it.
///
/// Threads of this process get the lock in the order in which they asked for it.
///
/// Threads: any; what changes is in `state`.
final class WriterLock: Sendable {
  private struct State {
    /// The thread that holds the lock.
    var owner: ThreadIdentity?
    /// The tickets of the waiting threads, in the order they came.
    var waiting: [Int] = []
    /// The last ticket.
    var lastTicket = 0
  }

  private let file: DataFile
  private let state = ConditionMutex(State())
  private let busyHandler = ConditionMutex<(@Sendable (String) -> Void)?>(nil)
  /// How long a writer waits for another process before the handler is called.
  private static let busyNotice = Duration.seconds(1)

  init(_ file: DataFile) { self.file = file }

  /// Acquires the lock for the running thread.
  func acquire(within timeout: Duration) throws(LMDBError) {
    try acquireInProcess(within: timeout)
    let isLocked: Bool
    do throws(LMDBError) {
      isLocked = try acquireAmongProcesses(within: timeout)
    } catch {
      releaseInProcess()
      throw error
    }
    guard isLocked else {
      releaseInProcess()
      throw LMDBError(.beginWrite, .busy, busyDetail)
    }
  }

  private func acquireAmongProcesses(within timeout: Duration) throws(LMDBError) -> Bool {
    let notice = min(timeout, Self.busyNotice)
    if try file.lock(before: Deadline(after: notice)) { return true }
    guard timeout > notice else { return false }
    if let handler = busyHandler.withLock({ $0 }) { handler(busyDetail) }
    return try file.lock(before: Deadline(after: timeout - notice))
  }

  /// Sets what is called with the name of another process for which a writer waits.
  func setBusyHandler(_ handler: (@Sendable (String) -> Void)?) {
    busyHandler.withLock { $0 = handler }
  }

  /// Releases the lock.
  func release() {
    file.unlock()
    releaseInProcess()
  }

  /// Runs a body while no thread of this process writes; false, and not at all, while one does.
  ///
  /// - Parameter body: Gets whether no other process writes either.
  func whileNoThreadWrites(_ body: (Bool) -> Void) -> Bool {
    let thread = ThreadIdentity.current
    let isMine = state.withLock { state in
      guard state.owner == nil, state.waiting.isEmpty else { return false }
      state.owner = thread
      return true
    }
    guard isMine else { return false }
    defer { releaseInProcess() }
    // Where the lock cannot be asked for, another process may have it.
    let isAlone = (try? file.lock(before: Deadline(after: .zero))) ?? false
    defer { if isAlone { file.unlock() } }
    body(isAlone)
    return true
  }

  /// Acquires the lock among this process's threads for good; false when the deadline comes first.
  func keep(before deadline: Deadline) -> Bool {
    let thread = ThreadIdentity.current
    if isHeldByThisThread { return false }
    return state.withLock(when: { $0.owner == nil }, before: deadline) {
      $0.owner = thread
    } != nil
  }

  private func acquireInProcess(within timeout: Duration) throws(LMDBError) {
    let thread = ThreadIdentity.current
    guard state.withLock({ $0.owner != thread }) else {
      throw LMDBError(.beginWrite, .writeInsideWrite, file.path)
    }
    let ticket = state.withLock { state -> Int? in
      if state.owner == nil, state.waiting.isEmpty {
        state.owner = thread
        return nil
      }
      state.lastTicket += 1
      state.waiting.append(state.lastTicket)
      return state.lastTicket
    }
    guard let ticket else { return }
    let isAcquired: Void? = state.withLock(
      when: { $0.owner == nil && $0.waiting.first == ticket }, before: Deadline(after: timeout)
    ) { state in
      state.waiting.removeFirst()
      state.owner = thread
    }
    if isAcquired != nil { return }
    state.withLock { $0.waiting.removeAll { $0 == ticket } }
    throw LMDBError(
      .beginWrite, .busy, "another thread of this process is writing to \(file.path)")
  }

  private func releaseInProcess() {
    state.withLock { $0.owner = nil }
  }

  /// The detail of an error that says which process holds the lock.
  var busyDetail: String {
    "\(ProcessIdentity.described(file.lockHolder)) is writing to \(file.path)"
  }

  /// Whether the running thread holds the lock.
  var isHeldByThisThread: Bool {
    state.withLock { $0.owner == ThreadIdentity.current }
  }

  /// How many threads of this process wait for the lock.
  var waitingCount: Int { state.withLock { $0.waiting.count } }
}

extension EnvironmentCore {
  /// Acquires the writer's lock, prepares the map and begins a transaction of the C library.
  func beginWrite() throws(LMDBError) -> TransactionHandle {
    try checkUsable(for: .beginWrite)
    guard !options.isReadOnly else { throw LMDBError(.beginWrite, .readOnly, path) }
    guard journal?.isUnusable != true else { throw LMDBError(.beginWrite, .panic, path) }
    try writerLock.acquire(within: options.writerTimeout)
    do throws(LMDBError) {
      try checkNotReplaced(for: .beginWrite)
      let (version, usage) = readers.withMapHeld { (handle.lastTransaction, handle.usage) }
      clearStaleReadersWhenDue(version, usage.usedBytes)
      growth.growAheadOfNeed(of: usage)
      let transaction = try beginFitting()
      do throws(LMDBError) {
        // The transaction has the number after the one in the lock table: see `isOverwritten(_:since:)`.
        guard
          (0...1).contains(transaction.id - handle.lastTransaction)
            || !CommitPages.hasMetaPagesInOrder(pages)
        else { throw overwritten(for: .beginWrite) }
        let check = try checkPages(before: transaction)
        try waitForName(before: transaction)
        try journal?.begin(transaction, in: handle)
        writerDatabases.begin(check)
      } catch {
        transaction.abort()
        readers.endWriting()
        throw error
      }
      return transaction
    } catch {
      writerLock.release()
      throw error
    }
  }

  /// Waits until the name of a new file is on the disk, before one of its first commits.
  ///
  /// The process that made the file, or compacted it, may have died before. The C library counts commits from 1, also
  /// those of a compacted copy.
  private func waitForName(before transaction: TransactionHandle) throws(LMDBError) {
    guard transaction.id <= 2, options.durability != .unsafe else { return }
    do throws(LMDBError) {
      try Folder(of: file.realPath).synchronize(path)
    } catch {
      // A program that may not open the folder has not made the file there.
      guard error.code.forbidsWriting else { throw LMDBError(.beginWrite, error.code, path) }
    }
  }

  /// Clears the slots of readers whose processes have died, if enough was written since.
  ///
  /// It costs a system call for each process that reads. So it is done after some commits, of
  /// whatever process, or when the file has grown, as it does while old pages cannot be used again.
  private func clearStaleReadersWhenDue(_ version: Int, _ usedBytes: Int) {
    let isDue = staleReaderCheck.withLock { last in
      guard
        version - last.version >= Threshold.commitsBetweenReaderChecks.value
          || usedBytes - last.usedBytes >= Threshold.bytesBetweenReaderChecks.value
      else { return false }
      last = (version, usedBytes)
      return true
    }
    // What makes this fail makes the next call fail too, which then throws.
    if isDue { _ = handle.clearStaleReaders() }
  }

  /// Begins, after enlarging the map if another process has grown the file.
  private func beginFitting() throws(LMDBError) -> TransactionHandle {
    var hasAdopted = false
    while true {
      try checkUsable(for: .beginWrite)
      readers.beginWriting()
      let (begun, code) = handle.begin(isReadOnly: false)
      if let begun { return begun }
      readers.endWriting()
      guard code == LMDBError.Code.mapResized.rawValue, !hasAdopted else {
        throw LMDBError(.beginWrite, code, path)
      }
      hasAdopted = true
      try growth.adopt(for: .beginWrite)
    }
  }

  /// Throws when a page that a writer could reach is damaged.
  ///
  /// Pages are checked before the first write of a process, unless another one left the file as it is,
  /// and again when the file was written to without a commit. Of a file of 65,536 pages and more
  /// (256 MiB, usually), the leaves of named trees are left out. Of a smaller one they are read when
  /// their tree is opened, or by ``endCheck(of:isWhole:)``.
  ///
  /// - Parameter transaction: The write transaction, which has changed nothing yet.
  /// - Returns: The check, where leaves are left to read.
  private func checkPages(before transaction: TransactionHandle) throws(LMDBError) -> PageCheck? {
    let version = transaction.id - 1
    if let sound = soundCommit.withLock({ $0 }) {
      guard sound.version == version else {
        // Another process has checked what it has committed; other writes are unknown.
        isSoundStateRecordable.store(false, ordering: .relaxed)
        return nil
      }
      guard sound.isCheckDue else { return nil }
      if let state = file.state(at: version), !state.isModified(after: sound) { return nil }
    } else if let state = file.state(at: version), file.recordedState == state {
      isSoundStateRecordable.store(true, ordering: .relaxed)
      soundCommit.withLock { $0 = SoundCommit(version) }
      return nil
    }
    var commit = CommitPages(pages)
    // The writer is alone, so that nobody overwrites the meta page.
    guard commit.load(version) else {
      throw LMDBError(.beginWrite, .corrupted, "\(path); its meta page")
    }
    var check = PageCheck(commit, keeping: 1, readsLeaves: false)
    check.run()
    try check.throwProblem(.beginWrite)
    isSoundStateRecordable.store(true, ordering: .relaxed)
    let isChecked = commit.lastPage >= UInt(Threshold.fullyCheckedPages.value)
    soundCommit.withLock { $0 = isChecked ? SoundCommit(version) : nil }
    return isChecked ? nil : check
  }

  /// Reads the leaves that are left to read before a transaction ends; the error of a damaged page.
  ///
  /// - Parameters:
  ///   - transaction: The outermost write transaction.
  ///   - isWhole: Whether the leaves of trees that were emptied are read too. By way of the journal a replay
  ///     would read them.
  private func endCheck(of transaction: TransactionHandle, isWhole: Bool) -> LMDBError? {
    let isWhole = isWhole || journal?.isUsed == true
    guard let check = writerDatabases.endCheck(isWhole: isWhole) else { return nil }
    do throws(LMDBError) {
      try check.throwProblem(.commit)
      soundCommit.withLock { $0 = SoundCommit(transaction.id - 1) }
      return nil
    } catch { return error }
  }

  /// Records that the pages are sound, for the next process, if only this one has written.
  func recordSoundState() {
    guard isSoundStateRecordable.load(ordering: .relaxed), let state = soundState else { return }
    file.record(state)
  }

  /// The state of the file, if its pages are known to be sound in it.
  var soundState: SoundState? {
    guard let sound = soundCommit.withLock({ $0 }), handle.lastTransaction == sound.version,
      let state = file.state(at: sound.version), !state.isModified(after: sound)
    else { return nil }
    return state
  }

  /// Commits a write transaction, and releases the writer's lock unless the transaction is nested.
  func commitWrite(_ transaction: TransactionHandle, depth: Int) throws(LMDBError) {
    // In a child of a fork the transaction is the parent's, and stays open there.
    guard isOfThisProcess else { throw LMDBError(.commit, .forked, path) }
    checkEnding(depth)
    writerDatabases.closeCursors()
    if depth == 1,
      let error = replacementError(for: .commit) ?? endCheck(of: transaction, isWhole: false)
    {
      transaction.abort()
      endWrite(isCommitted: false, depth: depth)
      throw error
    }
    let (code, isOutcomeUnknown) = commit(transaction, depth: depth)
    if code == LMDBError.Code.mapFull.rawValue { writerDatabases.fillMap() }
    // Trees that were emptied are back, and the next transaction begins with a check again.
    if code != 0, writerDatabases.hasUnreadLeaves { soundCommit.withLock { $0 = nil } }
    // The commit of a transaction that met a full map before fails with another code.
    let isMapFull = writerDatabases.isFailedByFullMap
    // Checked before the lock is released: the next writer must not begin where this commit is lost.
    let lost = ", and whether the change is in the file is unknown"
    let replacement = code == 0 && depth == 1 ? replacementError(for: .commit, lost) : nil
    endWrite(isCommitted: code == 0, depth: depth)
    if let replacement { throw replacement }
    guard code == 0 else {
      if isMapFull { throw mapFull(.commit) }
      throw LMDBError(.commit, file.cause(of: code), path + (isOutcomeUnknown ? lost : ""))
    }
  }

  /// Aborts a write transaction, and releases the writer's lock unless the transaction is nested.
  func abortWrite(_ transaction: TransactionHandle, depth: Int) {
    // In a child of a fork the transaction and its locks are the parent's.
    guard isOfThisProcess else { return }
    checkEnding(depth)
    writerDatabases.closeCursors()
    if depth == 1 { _ = endCheck(of: transaction, isWhole: true) }
    transaction.abort()
    endWrite(isCommitted: false, depth: depth)
  }

  /// Commits a transaction of the C library, an outermost one by way of the journal.
  private func commit(
    _ transaction: TransactionHandle, depth: Int
  ) -> (code: Int32, isOutcomeUnknown: Bool) {
    guard depth == 1, let journal else { return (transaction.commit(), false) }
    return journal.commit(transaction, in: handle)
  }

  private func endWrite(isCommitted: Bool, depth: Int) {
    writerDatabases.end(isCommitted: isCommitted)
    if depth > 1 { return }
    readers.endWriting()
    if writerDatabases.hasFilledMap {
      writerDatabases.didGrowMap()
      growth.growAfterMapFull()
    }
    // All that was written since the beginning was written by the C library.
    let version = readers.withMapHeld { handle.lastTransaction }
    soundCommit.withLock { $0 = $0 == nil ? nil : SoundCommit(version) }
    // Also after an abort: beginning has pinned a commit.
    if journal?.hasPin == true { scheduleRest() }
    writerLock.release()
  }

  private func checkEnding(_ depth: Int) {
    precondition(
      writerLock.isHeldByThisThread,
      "A write transaction ends on the thread that began it: commit before handing work on.")
    precondition(
      writerDatabases.depth == depth,
      "Of nested write transactions, the innermost one ends first.")
  }

  /// The error of a failed change.
  func failure(_ operation: LMDBError.Operation, _ code: Int32) -> LMDBError {
    guard code == LMDBError.Code.mapFull.rawValue else {
      return LMDBError(operation, database: file.cause(of: code).rawValue)
    }
    writerDatabases.fillMap()
    return mapFull(operation)
  }

  private func mapFull(_ operation: LMDBError.Operation) -> LMDBError {
    let names = readers.snapshotNames
    guard !names.isEmpty else { return LMDBError(operation, .mapFull, path) }
    let obstacle = ReaderPool.Obstacle.snapshots(names)
    return LMDBError(operation, .mapFull, "\(path); it cannot grow before these end: \(obstacle)")
  }
}
