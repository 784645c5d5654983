internal import Synchronization

/// The C environment that all environments of one file share, and what guards it.
///
/// Threads: any. Each part says what protects it.
final class EnvironmentCore: Sendable {
  let path: String
  let options: Environment.Options
  let identity: FileIdentity
  let file: DataFile
  let handle: EnvironmentHandle
  /// The mapping that read transactions read pages from.
  let pages: PageMap
  let databases: DatabaseTable
  let readers: ReaderPool
  let growth: MapGrowth
  let writerLock: WriterLock
  /// What the running writer has open.
  let writerDatabases: WriterDatabases
  /// The redo journal; nil where the file has none.
  let journal: Journal?
  /// For a file whose lock table cannot be written to: the lock that keeps writers out during reads.
  let sharedLock: SharedFileLock?
  /// The directory entries of the file and of its lock table, if it has one.
  ///
  /// There are none for a file that is unlinked after opening.
  let entries: [DirectoryEntry]
  /// The entry of the lock table; nil where it cannot be written to.
  private let lockTable: DirectoryEntry?
  /// Whether one of the entries was found to be gone or replaced.
  private let isReplaced = Atomic(false)
  /// When a reader last checked them, in nanoseconds.
  private let replacementCheckedAt = Atomic<UInt64>(0)
  /// The last commit and the size of the file when a writer last cleared stale readers.
  let staleReaderCheck = ConditionMutex((version: 0, usedBytes: 0))
  /// The last commit whose pages are known to be sound, and when that was; nil before they were checked.
  let soundCommit = Mutex<SoundCommit?>(nil)
  /// Whether all commits since that check were of this process.
  let isSoundStateRecordable = Atomic(false)
  /// When a write of this process last ended that the journal had prepared for, in nanoseconds.
  let lastWriteAt = Atomic<UInt64>(0)
  /// Whether a timer runs after which the journal may rest.
  let isRestScheduled = Atomic(false)
  /// How many environments of this process share this one; changed under the registry's lock.
  let holderCount = Atomic(1)
  private let forks = ForkDetector.start()

  init(
    opening file: DataFile, _ options: Environment.Options, _ journal: Journal?
  ) throws(LMDBError) {
    self.file = file
    self.journal = journal
    self.options = options
    path = file.path
    identity = file.identity
    let capacity = options.capacity(forExisting: try FileValidator.treeCount(of: file))
    var roomy = options
    roomy.maxDatabases = capacity
    (handle, pages, lockTable) = try Self.openMapped(file, roomy)
    let opened =
      [DirectoryEntry(path: file.realPath, identity: file.identity)]
      + (lockTable.map { [$0] } ?? [])
      + (journal.map {
        [DirectoryEntry(path: $0.journalFile.path, identity: $0.journalFile.identity)]
      } ?? [])
    entries = options.isUnlinkedAfterOpening ? [] : opened
    sharedLock = lockTable == nil ? SharedFileLock(file) : nil
    readers = ReaderPool(slots: handle.maxReaders)
    growth = MapGrowth(file, handle, pages, readers)
    databases = DatabaseTable(capacity: capacity)
    writerLock = WriterLock(file)
    writerDatabases = WriterDatabases(
      databases, maxKeyBytes: handle.maxKeyBytes, redo: journal?.record)
    do throws(LMDBError) {
      try checkOpened(as: opened, lockTable)
    } catch {
      handle.close()
      throw error
    }
  }

  /// Closes the C environment; the registry calls it once, when no transaction is left.
  func close() {
    // What a child of a fork has is the parent's.
    guard isOfThisProcess else { return }
    // The C library would write to the truncated part of the lock table: SIGBUS ends the process.
    guard !entries.dropFirst().contains(where: \.isTruncated) else { return }
    readers.closeIdle()
    closeJournal()
    recordSoundState()
    handle.close()
    pages.unmap()
  }

  /// A number of bytes, rounded up to whole pages of the system.
  static func wholePages(_ bytes: Int) -> Int {
    (bytes + systemPageBytes - 1) / systemPageBytes * systemPageBytes
  }
}

// What is checked when a transaction begins.
extension EnvironmentCore {
  /// Whether the process is the one that opened the environment, and no child of a fork.
  @inline(__always)
  var isOfThisProcess: Bool { forks == ForkDetector.current }

  /// Throws when no transaction can begin any more.
  @inline(__always)
  func checkUsable(for operation: LMDBError.Operation) throws(LMDBError) {
    guard isOfThisProcess else { throw LMDBError(operation, .forked, path) }
    guard !growth.isMapLost.load(ordering: .relaxed) else {
      throw LMDBError(operation, .panic, path)
    }
    // A copy saves what only this process can still read.
    guard operation == .copy || !isReplaced.load(ordering: .relaxed) else {
      throw .fileReplaced(
        operation, path,
        "it, its lock table or its journal was removed or replaced while it was open")
    }
  }

  /// Throws when the file or its lock table has been removed or replaced.
  ///
  /// It cannot be prevented: later commits go to a file without a name, or to one that another
  /// process writes to by another lock table. A writer checks before it begins and after its commit,
  /// which counts only when both files are in place then: a later opening sees the
  /// commit, and an earlier one shares the lock table.
  func checkNotReplaced(for operation: LMDBError.Operation) throws(LMDBError) {
    if let error = replacementError(for: operation) { throw error }
  }

  /// Checks the same for a reader, ten times a second at most, to save the system calls.
  func checkNotReplacedWhenDue(for operation: LMDBError.Operation) throws(LMDBError) {
    let now = Deadline.coarseNow
    guard now &- replacementCheckedAt.load(ordering: .relaxed) > 100_000_000 else { return }
    replacementCheckedAt.store(now, ordering: .relaxed)
    try checkNotReplaced(for: operation)
  }

  /// The error of a file or lock table that was removed or replaced; nil while both are in place.
  ///
  /// After the first such error no transaction begins any more.
  func replacementError(
    for operation: LMDBError.Operation, _ more: String = ""
  ) -> LMDBError? {
    guard let index = entries.firstIndex(where: { !$0.isUnchanged }) else { return nil }
    isReplaced.store(true, ordering: .relaxed)
    let what =
      index == 0
      ? "it was removed or replaced while it was open"
      : "\(entries[index].path) was removed, replaced or truncated while it was open"
    return .fileReplaced(operation, path, what + more)
  }

  /// Whether anything else has the file open: another process, or another environment of this one.
  ///
  /// It is true also where the system does not say. On Linux it takes one system call.
  var hasOtherUsers: Bool {
    if holderCount.load(ordering: .relaxed) > 1 { return true }
    // A file without a name cannot be opened by others.
    if options.isUnlinkedAfterOpening { return false }
    return lockTable.map { file.isOpenElsewhere(with: $0) } ?? true
  }

  /// Whether another file has the lock table of this one: it took this one's name.
  func sharesLockTable(with other: DataFile) -> Bool {
    guard isOfThisProcess, let lockTable = LockFile.identity(of: other) else { return false }
    return entries.contains { $0.identity == lockTable }
  }
}

extension LMDBError {
  /// The error of a file that was removed or replaced: the detail is its path and what happened.
  static func fileReplaced(_ operation: Operation, _ path: String, _ what: String) -> LMDBError {
    LMDBError(operation, .fileReplaced, "\(path); \(what)")
  }
}

// Opening the C environment, and the checks before it is used.
extension EnvironmentCore {
  /// Opens the C environment and maps its pages a second time, for this module's own readers.
  static func openMapped(
    _ file: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> (EnvironmentHandle, PageMap, lockEntry: DirectoryEntry?) {
    var options = options
    while true {
      let (handle, lockEntry) = try openHandle(file, options)
      let pages = PageMap(file, pageBytes: handle.pageBytes)
      let mapBytes = handle.usage.mapBytes
      if pages.map(mapBytes) { return (handle, pages, lockEntry) }
      handle.close()
      // The C library's map has room for all pages that the meta page counts, whatever was asked for.
      guard mapBytes <= wholePages(options.mapSizeBytes) else {
        let isPlausible = mapBytes / 2 < (try file.size)
        throw LMDBError(.open, isPlausible ? .outOfMemory : .corrupted, file.path)
      }
      guard mapBytes / 2 >= 1 << 20 else { throw LMDBError(.open, .outOfMemory, file.path) }
      options.mapSizeBytes = mapBytes / 2
    }
  }

  /// Opens the C environment, without its lock table where that can only be read.
  private static func openHandle(
    _ file: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> (EnvironmentHandle, lockEntry: DirectoryEntry?) {
    do throws(LMDBError) {
      if !options.isReadOnly || !file.isOnReadOnlyFileSystem {
        let entry = try LockFile.prepare(for: file, options)
        let handle = try EnvironmentHandle.open(file.realPath, options)
        return (handle, entry.withCurrentLength())
      }
    } catch {
      // The data file is open already, so the error is the lock table's.
      guard options.isReadOnly,
        [.noPermission, .notPermitted, .readOnlyFileSystem].contains(error.code)
      else { throw error }
    }
    return (try .open(file.realPath, options, isWithoutLockTable: true), nil)
  }

  /// Checks a C environment that was just opened, and prepares it for transactions.
  func checkOpened(
    as opened: [DirectoryEntry], _ lockEntry: DirectoryEntry?
  ) throws(LMDBError) {
    // Another process may have replaced the file after it was validated, or after it was opened: to
    // read, the C library opens the file before it waits for the lock table, and a compaction for
    // which it waited has renamed another file over it by then.
    guard file.isSame(as: handle.descriptor), opened.allSatisfy(\.isUnchanged) else {
      throw LMDBError(.open, .replaced, path)
    }
    if let lockEntry { try file.join(usersOf: lockEntry) }
    // From here on no process can give the file a journal. One may have done so while this one was opening it.
    if journal == nil, !options.isUnlinkedAfterOpening, try Journal.isNeeded(by: file) {
      throw LMDBError(.open, .replaced, path)
    }
    try checkFormat()
    // Before the first read: dead processes may have all reader slots. An error of this call is an
    // error of the next one too, which throws.
    _ = handle.clearStaleReaders()
    try sharedLock?.enter(within: options.writerTimeout)
    defer { sharedLock?.leave() }
    try checkMetaPages()
    if lockEntry != nil { try checkLockTable() }
    try checkNames()
    try openNames()
  }

  /// Throws when the C library has created the file in a format whose pages cannot be read here.
  ///
  /// An existing file was validated before it was opened.
  private func checkFormat() throws(LMDBError) {
    _ = try MetaPage(try file.read(at: 0, count: MetaPage.byteCount), of: path)
  }

  /// Throws where the meta pages are not those of two commits, one after the other.
  ///
  /// The C library uses the newer of the valid ones. Where the newest is damaged, that is an earlier
  /// state of the file, whose pages may have been reused.
  private func checkMetaPages() throws(LMDBError) {
    for _ in 0..<100 where CommitPages.hasMetaPagesInOrder(pages) {
      return
    }
    throw LMDBError(.open, .corrupted, "\(path); its meta pages are not of two commits in a row")
  }

  /// Throws where the tree of names is damaged, which the C library reads to open a tree.
  private func checkNames() throws(LMDBError) {
    for _ in 0..<100 {
      let (begun, code) = handle.begin(isReadOnly: true)
      guard let transaction = begun else { throw LMDBError(.open, code, path) }
      defer { transaction.abort() }
      var commit = CommitPages(pages)
      // Other processes may commit meanwhile.
      guard commit.load(transaction.id) else { continue }
      var check = PageCheck(commit, keeping: 1)
      check.runOverNames()
      return try check.throwProblem(.open)
    }
    throw LMDBError(.open, .corrupted, "\(path); its meta page")
  }

  /// Makes the C library choose the order of names while no other transaction is there.
  ///
  /// It does so in the first transaction that opens a tree, without a lock.
  private func openNames() throws(LMDBError) {
    let (begun, beginCode) = handle.begin(isReadOnly: true)
    guard let begun else { throw LMDBError(.open, beginCode, path) }
    defer { begun.abort() }
    let code = begun.openDatabase(nil, flags: 0).code
    guard code == 0 else { throw LMDBError(.open, code, path) }
  }
}

// The lock table holds the number of the last commit. When the file was replaced while another
// process still has the old one open, a newcomer joins that one's lock table and would read a wrong
// number.
extension EnvironmentCore {
  /// Throws when the lock table belongs to another file than the one that was just opened.
  private func checkLockTable() throws(LMDBError) {
    // Commits may come between the two numbers, so they are compared again while nobody writes.
    var lead = try leadOverLockTable()
    for _ in 0..<3 where lead != 0 { lead = try leadOverLockTable() }
    if lead != 0 { lead = try leadOverLockTableWithoutWriters() }
    guard lead == 0 else {
      throw .fileReplaced(.open, path, "another process still has the file before it open")
    }
  }

  /// By how many commits the file is ahead of its lock table.
  private func leadOverLockTable() throws(LMDBError) -> Int {
    let (begun, code) = handle.begin(isReadOnly: true)
    guard let transaction = begun else { throw LMDBError(.open, code, path) }
    defer { transaction.abort() }
    return handle.lastTransaction - transaction.id
  }

  /// The same while nobody writes: 1 when a writer was killed before it updated the lock table.
  private func leadOverLockTableWithoutWriters() throws(LMDBError) -> Int {
    guard try file.lock(before: Deadline(after: options.writerTimeout)) else {
      throw LMDBError(.open, .busy, writerLock.busyDetail)
    }
    defer { file.unlock() }
    let lead = try leadOverLockTable()
    // A write transaction updates the lock table when it begins.
    guard lead == 1 else { return lead }
    if options.isReadOnly { return 0 }
    let (begun, code) = handle.begin(isReadOnly: false)
    guard let transaction = begun else { throw LMDBError(.open, code, path) }
    transaction.abort()
    return try leadOverLockTable()
  }
}

extension EnvironmentHandle {
  /// Opens a C environment; the map is halved until the address space suffices.
  static func open(
    _ path: String, _ options: Environment.Options, isWithoutLockTable: Bool = false
  ) throws(LMDBError) -> EnvironmentHandle {
    let leastBytes = 1 << 20
    var mapBytes = EnvironmentCore.wholePages(options.mapSizeBytes)
    while true {
      do throws(LMDBError) {
        let flags = options.flags | (isWithoutLockTable ? Self.withoutLockTable : 0)
        return try open(path, options, flags, mapBytes: mapBytes)
      } catch {
        guard error.code == .outOfMemory, mapBytes / 2 >= leastBytes else { throw error }
        mapBytes = EnvironmentCore.wholePages(mapBytes / 2)
      }
    }
  }

  private static func open(
    _ path: String, _ options: Environment.Options, _ flags: Int32, mapBytes: Int
  ) throws(LMDBError) -> EnvironmentHandle {
    let (created, code) = create()
    guard let handle = created else { throw LMDBError(.open, code, path) }
    let steps = [
      { handle.setMapSize(mapBytes) },
      { handle.setMaxReaders(UInt32(options.maxReaders)) },
      { handle.setMaxDatabases(UInt32(options.maxDatabases)) },
      { handle.open(path, flags: flags, mode: options.fileMode) },
    ]
    for step in steps {
      let code = step()
      guard code == 0 else {
        handle.close()
        throw LMDBError(.open, code, path)
      }
    }
    return handle
  }
}
