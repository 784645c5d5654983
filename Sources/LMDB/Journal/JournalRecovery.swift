extension Journal {
  /// Opens the journal of a data file, and replays it where its last user has not closed it.
  ///
  /// The caller keeps this process from opening or closing files, and has none open that shares the lock
  /// table.
  ///
  /// - Returns: Nil where the file has no journal, and gets none.
  /// - Throws: ``LMDBError/Code/journalMissing`` where the file is not complete without its journal and has
  ///   another one or none, ``LMDBError/Code/needsReplay`` where that journal would be replayed and the
  ///   options forbid writing, ``LMDBError/Code/busy`` where a program without a journal has the file open
  ///   then.
  static func open(
    for file: DataFile, _ options: Environment.Options, _ row: IdentifyingRow? = nil
  ) throws(LMDBError) -> Journal? {
    // A file that is unlinked at once is replayed before it is opened so.
    let mayUse = JournalFile.isSupported && !options.isUnlinkedAfterOpening
    let isWanted =
      mayUse && [.journal, .relaxed].contains(options.durability) && !options.isReadOnly
    let marker = try file.journalMarker
    guard mayUse || marker?.isOpen != true else {
      throw LMDBError(.open, .needsReplay, file.path)
    }
    guard mayUse, let marker else {
      return isWanted ? try create(for: file, options, row) : nil
    }
    guard let journalFile = try JournalFile(openingFor: file, isReadOnly: options.isReadOnly) else {
      guard !marker.isOpen else { throw LMDBError(.open, .journalMissing, file.path) }
      return isWanted ? try create(for: file, options, row) : nil
    }
    return try join(journalFile, of: file, options)
  }

  /// Whether the last user of a file has not closed it, so that its journal is to be replayed.
  ///
  /// It is false also where the journal is missing.
  static func isReplayDue(of file: DataFile) throws(LMDBError) -> Bool {
    guard try file.journalMarker?.isOpen == true,
      let journalFile = try JournalFile(openingFor: file, isReadOnly: true)
    else { return false }
    return try !journalFile.hasOtherUsers(areWriting: false)
  }

  /// Replays the journal of a file that no process has open, where its last user has not closed it.
  static func replay(at path: String, _ options: Environment.Options) throws(LMDBError) {
    var options = options
    options.isReadOnly = false
    options.durability = .full
    options.isUnlinkedAfterOpening = false
    let file = try DataFile(openingAt: path, options)
    // It is closed at once: what is done with the file afterwards excludes other processes by its lock table.
    _ = try open(for: file, options)
  }

  /// Whether a file has a journal, which every process has to use that writes to the file.
  static func isNeeded(by file: DataFile) throws(LMDBError) -> Bool {
    guard JournalFile.isSupported, try file.journalMarker != nil else { return false }
    return try JournalFile(openingFor: file, isReadOnly: true) != nil
  }

  /// Gives a file a journal if no process has it open: all that open it later know of the journal.
  private static func create(
    for file: DataFile, _ options: Environment.Options, _ row: IdentifyingRow?
  ) throws(LMDBError) -> Journal? {
    // An empty file that was there before is filled by the C library.
    if try file.size == 0 { return nil }
    // Before anything is written to it.
    try FileValidator.check(file, isReadOnly: true, within: options.writerTimeout)
    // A file that is mounted alone has its journal where nobody else looks for it.
    guard try file.isOnFileSystemOfItsFolder,
      let alone = try ExclusiveFileLock(of: file, options)
    else { return nil }
    defer { withExtendedLifetime(alone) {} }
    // Another process may have given it one, and used it, since this one read the marker.
    guard try file.journalMarker?.isOpen != true else {
      throw LMDBError(.open, .replaced, file.path)
    }
    if let row, try !row.identifies(file, options) { return nil }
    let journalFile: JournalFile
    do throws(LMDBError) {
      journalFile = try JournalFile(creatingFor: file)
    } catch {
      // Where no journal can be made, the file is used without one.
      guard error.code.forbidsWriting || error.code.isOutOfSpace else { throw error }
      return nil
    }
    guard try journalFile.use(isWriting: true) else { return nil }
    try file.setJournalMarker(JournalMarker(session: .none))
    return try join(journalFile, of: file, options)
  }

  /// Becomes a user of a journal; the first one replays it.
  private static func join(
    _ journalFile: JournalFile, of file: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> Journal {
    let timeout = max(options.writerTimeout, JournalFile.leastTimeout)
    try journalFile.whileUsersStay(within: timeout) { () throws(LMDBError) in
      if try !journalFile.hasOtherUsers(areWriting: false), let marker = try file.journalMarker,
        marker.isOpen
      {
        guard !options.isReadOnly else { throw LMDBError(.open, .needsReplay, file.path) }
        // A process that reads without a lock table keeps writers out by this lock, and is no user.
        guard try file.lock(before: Deadline(after: timeout)) else {
          throw LMDBError(.open, .busy, "another process is using \(file.path)")
        }
        defer { file.unlock() }
        try JournalRecovery(file: file, journalFile: journalFile, options: options).run()
      } else if !options.isReadOnly {
        try JournalRecovery(file: file, journalFile: journalFile, options: options)
          .eraseRecordOfDeadWriter()
      }
      guard try journalFile.use(isWriting: !options.isReadOnly) else {
        throw LMDBError(.open, .networkFileSystem, journalFile.path)
      }
    }
    return Journal(journalFile, of: file, options.durability)
  }
}

/// Replays a journal, so that the data file is complete without it.
///
/// The data file's own last commits are not believed: their pages may not be on the disk. The replay begins
/// at the checkpoint, and can be interrupted and begun again at every step, because the pages of the
/// checkpoint are not reused by the replayed transactions.
struct JournalRecovery {
  let file: DataFile
  let journalFile: JournalFile
  let options: Environment.Options

  /// Runs the recovery, while no other process has the file open.
  func run() throws(LMDBError) {
    guard let session = try file.journalMarker?.session,
      var checkpoint = try journalFile.front.checkpoint, checkpoint.session == session
    else { throw LMDBError(.open, .journalMissing, file.path) }
    guard let alone = try ExclusiveFileLock(of: file, options) else {
      throw LMDBError(
        .open, .busy, "\(file.path); a program that does not know its journal has it open")
    }
    defer { withExtendedLifetime(alone) {} }
    var (records, end) = try records(after: checkpoint)
    // A process may have died between a record and its sync, and the data file must not be ahead of the journal.
    try journalFile.synchronizeAgain(upTo: end)
    let newest = try newestMetaPage(after: checkpoint, records)
    // In a relaxed session it may have come back in the place of a record that nobody waited for.
    if !checkpoint.isRelaxed, let last = records.last, last.isPartial,
      newest.transaction == last.transaction
    {
      // The pages of this commit were synced before its meta page was written.
      (checkpoint, records) = (newest, [])
    }
    let metaPages = try metaPages
    // The sync that was to close the session may have failed, and the disk may call it closed all the same.
    try file.setJournalMarker(JournalMarker(session: session))
    try restore(checkpoint)
    let handle: EnvironmentHandle
    do throws(LMDBError) {
      handle = try openChecked(checkpoint)
    } catch {
      // The pages of its last commit may be sound, or be read as far as they are.
      for (offset, bytes) in metaPages { try file.write(bytes, at: offset) }
      guard error.code == .corrupted,
        newest.transaction > records.last?.transaction ?? checkpoint.transaction
      else { throw error }
      // A program without the journal has written to pages of the checkpoint.
      throw LMDBError(.open, .journalMissing, file.path)
    }
    defer { handle.close() }
    handle.setSynchronizesCommits(false)
    let (pin, code) = handle.begin(isReadOnly: true)
    guard let pin else { throw LMDBError(.open, code, file.path) }
    defer { pin.abort() }
    for record in records where !record.isPartial { try replay(record, handle) }
    let synchronized = handle.synchronize()
    guard synchronized == 0 else { throw LMDBError(.open, synchronized, file.path) }
    try file.closeJournalSession(session)
  }

  /// Opens the file at its checkpoint, whose pages were checked as before every first write.
  private func openChecked(_ checkpoint: Checkpoint) throws(LMDBError) -> EnvironmentHandle {
    let treeCount = try FileValidator.check(
      file, isReadOnly: true, within: options.writerTimeout)
    var roomy = options
    roomy.maxDatabases = options.capacity(forExisting: treeCount)
    let handle = try EnvironmentHandle.open(file.realPath, roomy)
    do throws(LMDBError) {
      var check = PageCheck(
        try CommitPages(lastOf: file, handle), keeping: 1,
        readsLeaves: checkpoint.lastPage < UInt(Threshold.fullyCheckedPages.value))
      check.run()
      try check.throwProblem(.open)
      return handle
    } catch {
      handle.close()
      throw error
    }
  }

  /// Erases the record of a writer that died before its commit, while other processes have the file open.
  ///
  /// What this process reads from now on lacks that commit, which must not come back when the last process is gone.
  /// Where a process is writing, that one erases it.
  func eraseRecordOfDeadWriter() throws(LMDBError) {
    guard let session = try file.journalMarker?.session, session != .none,
      try file.lock(before: Deadline(after: .zero))
    else { return }
    defer { file.unlock() }
    guard let checkpoint = try journalFile.front.checkpoint, checkpoint.session == session else {
      return
    }
    var position = JournalFile.Position(after: checkpoint)
    let last = Int(try file.newestMetaPage.page.transaction)
    guard try journalFile.skipRecords(to: last, from: &position) else { return }
    do throws(LMDBError) {
      try journalFile.synchronize()
    } catch {
      // No later sync would tell a process that opens the file after this one.
      journalFile.recordFailure(in: session)
      throw error
    }
  }

  /// Closes the session of a file whose journal is lost, if the pages of its last commit are sound.
  ///
  /// - Parameter acceptsDamage: Whether to close it also if they are not, for a program that only reads.
  static func acceptWithoutJournal(
    _ file: DataFile, _ session: JournalMarker.Session, _ options: Environment.Options,
    acceptsDamage: Bool
  ) throws(LMDBError) {
    guard let alone = try ExclusiveFileLock(of: file, options) else {
      throw LMDBError(.open, .busy, file.path)
    }
    defer { withExtendedLifetime(alone) {} }
    try FileValidator.check(file, isReadOnly: true, within: options.writerTimeout)
    if !acceptsDamage {
      let handle = try EnvironmentHandle.openAlone(file, options)
      defer { handle.close() }
      try PageCheck.check(try CommitPages(lastOf: file, handle))
    }
    // The pages that were read may be in the system's cache alone.
    try file.synchronize()
    try file.closeJournalSession(session)
  }

  /// The records after a checkpoint, and the offset at which they end.
  private func records(
    after checkpoint: Checkpoint
  ) throws(LMDBError) -> (records: [JournalFile.Record], end: Int) {
    var records: [JournalFile.Record] = []
    var position = JournalFile.Position(after: checkpoint)
    // After a partial record the writer has made a checkpoint before another one could begin.
    while !position.isAfterPartialRecord, let record = try journalFile.record(at: position) {
      records.append(record)
      position.advance(past: record)
    }
    return (records, position.offset)
  }

  /// The last commit of the data file; throws when it is neither the checkpoint nor in the journal.
  private func newestMetaPage(
    after checkpoint: Checkpoint, _ records: [JournalFile.Record]
  ) throws(LMDBError) -> Checkpoint {
    let bytes = try file.newestMetaPage.bytes
    let newest = try Checkpoint(
      checkpoint.session, checkpoint.generation, isRelaxed: checkpoint.isRelaxed, bytes,
      of: file.path)
    let last = records.last?.transaction ?? checkpoint.transaction
    guard newest.transaction >= checkpoint.transaction,
      newest.transaction <= last || checkpoint.isRelaxed
    else {
      throw LMDBError(
        .open, .journalMissing,
        "\(file.path); its last commit is \(newest.transaction), and the journal has "
          + "\(checkpoint.transaction) to \(last)")
    }
    return newest
  }

  /// What ``restore(_:)`` overwrites, by its offset.
  private var metaPages: [(offset: Int, bytes: [UInt8])] {
    get throws(LMDBError) {
      let pageBytes = try file.newestMetaPage.page.pageBytes
      var pages: [(offset: Int, bytes: [UInt8])] = []
      for page in [0, 1] {
        let offset = page * pageBytes + Checkpoint.metaRange.lowerBound
        pages.append((offset, try file.read(at: offset, count: Checkpoint.metaRange.count)))
      }
      return pages
    }
  }

  /// Makes the checkpoint the last commit of the data file.
  ///
  /// The other meta page gets the same trees under the number before, as two commits in a row have it.
  private func restore(_ checkpoint: Checkpoint) throws(LMDBError) {
    let pageBytes = try file.newestMetaPage.page.pageBytes
    for page in [0, 1] {
      let isNewest = page == checkpoint.transaction % 2
      var meta = Array(checkpoint.meta.dropLast(MetaPage.wordBytes))
      meta.append(number: UInt(checkpoint.transaction - (isNewest ? 0 : 1)))
      try file.write(meta, at: page * pageBytes + Checkpoint.metaRange.lowerBound)
    }
  }

  /// Does what a transaction did, once more.
  private func replay(
    _ record: JournalFile.Record, _ handle: EnvironmentHandle
  ) throws(LMDBError) {
    guard let operations = RedoRecord.parse(record.operations) else { throw damage(record) }
    while true {
      let (begun, code) = handle.begin(isReadOnly: false)
      guard let transaction = begun else { throw LMDBError(.open, code, file.path) }
      guard transaction.id == record.transaction else {
        transaction.abort()
        throw damage(record)
      }
      var failure = apply(operations, to: transaction)
      if failure == 0 { failure = transaction.commit() } else { transaction.abort() }
      switch failure {
      case 0: return
      case LMDBError.Code.mapFull.rawValue:
        let code = handle.setMapSize(2 * handle.usage.mapBytes)
        guard code == 0 else { throw LMDBError(.open, code, file.path) }
      default: throw LMDBError(.open, failure, file.path)
      }
    }
  }

  private func apply(
    _ operations: [RedoRecord.Operation], to transaction: TransactionHandle
  ) -> Int32 {
    var cursors: [UInt32: (slot: UInt32, cursor: CursorHandle)] = [:]
    defer { for (_, cursor) in cursors.values { cursor.close() } }
    for operation in operations {
      let code: Int32
      if operation.kind == .tree {
        let name = String(decoding: operation.key, as: UTF8.self)
        let opened = transaction.openDatabase(name, flags: 0)
        guard opened.code == 0 else { return opened.code }
        let (cursor, cursorCode) = transaction.openCursor(in: opened.slot)
        guard let cursor else { return cursorCode }
        cursors[operation.tree] = (opened.slot, cursor)
        continue
      }
      guard let (slot, cursor) = cursors[operation.tree] else {
        return LMDBError.Code.corrupted.rawValue
      }
      // Safety: the slices outlive the calls.
      code = unsafe operation.key.withUnsafeBytes { key in
        unsafe operation.value.withUnsafeBytes { value in
          var (key, value) = unsafe (Bytes(key), Bytes(value))
          switch operation.kind {
          case .put: return unsafe cursor.put(&key, &value, WriteFlag.none)
          case .delete:
            let code = unsafe cursor.get(&key, &value, .to)
            return code == 0 ? cursor.delete() : code
          case .empty: return transaction.empty(slot)
          case .tree: return 0
          }
        }
      }
      guard code == 0 else { return code }
    }
    return 0
  }

  private func damage(_ record: JournalFile.Record) -> LMDBError {
    LMDBError(.open, .corrupted, "\(journalFile.path); the record of commit \(record.transaction)")
  }
}
