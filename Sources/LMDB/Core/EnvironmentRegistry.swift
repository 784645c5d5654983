internal import CroftLibc
internal import Synchronization

extension Environment {
  /// Opens a file, and creates it when it does not exist.
  ///
  /// The file is validated before it is mapped: one that is not LMDB's is refused and not changed,
  /// and no file is created beside it. The corresponding C function is `mdb_env_open`.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist. LMDB keeps its lock table beside it, in a file
  ///     of the same name with `-lock` after it, which must not be changed or removed.
  ///   - options: How to open it; the same for every opening in one process.
  /// - Throws: ``LMDBError/Code/noSuchFile``, ``LMDBError/Code/noPermission``,
  ///   ``LMDBError/Code/isDirectory``, ``LMDBError/Code/notAnEnvironment``,
  ///   ``LMDBError/Code/truncated``, ``LMDBError/Code/corrupted``,
  ///   ``LMDBError/Code/versionMismatch``, ``LMDBError/Code/otherMachine``,
  ///   ``LMDBError/Code/networkFileSystem``, ``LMDBError/Code/optionsDiffer``,
  ///   ``LMDBError/Code/outOfMemory`` or a code of the system.
  public static func open(
    at path: String, options: Options = Options()
  ) throws(LMDBError) -> Environment {
    Environment(holding: try EnvironmentRegistry.open(path, options))
  }

  /// Opens a file that gets a journal only if it is known to be the program's own.
  ///
  /// - Throws: As ``open(at:options:)``.
  package static func open(
    at path: String, options: Options, knownBy row: IdentifyingRow
  ) throws(LMDBError) -> Environment {
    Environment(holding: try EnvironmentRegistry.open(path, options, row))
  }

  /// Replays the journal of a file that was not closed, unless a process has the file open.
  ///
  /// ``open(at:options:)`` does the same, unless the options forbid writing. Here they do not: the rows stay what
  /// they are. Nothing is done where there is no file.
  ///
  /// - Returns: False where the options forbid writing, and so does the system: then the journal waits for somebody
  ///   who may replay it.
  /// - Throws: ``LMDBError/Code/journalMissing``, ``LMDBError/Code/busy``, or what opening and writing throw.
  package static func replayJournal(at path: String, options: Options) throws(LMDBError) -> Bool {
    try EnvironmentRegistry.whileNothingIsOpened { isOpen throws(LMDBError) in
      guard TemporaryFile.exists(path) else { return true }
      var reading = options
      reading.isReadOnly = true
      let file = try DataFile(openingAt: path, reading)
      guard !isOpen(file), try file.journalMarker?.isOpen == true else { return true }
      do throws(LMDBError) {
        try Journal.replay(at: path, options)
        return true
      } catch {
        guard options.isReadOnly, error.code.forbidsWriting else { throw error }
        return try !Journal.isReplayDue(of: file)
      }
    }
  }

  /// Makes a file complete without its journal: by a replay, or as it is where the journal is lost.
  ///
  /// Commits that only the lost journal has are given up. All pages of the file's last commit are checked first.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: How it is opened at other times.
  ///   - acceptsDamage: Whether to give them up also where a damaged page forbids a replay, and to check no page.
  /// - Throws: ``LMDBError/Code/corrupted`` where a page is damaged, ``LMDBError/Code/busy`` where a process
  ///   has the file open, or a code of the system. The file is unchanged then.
  /// - Complexity: O(pages).
  package static func recover(
    at path: String, options: Options, acceptsDamage: Bool = false
  ) throws(LMDBError) {
    try EnvironmentRegistry.whileNothingIsOpened { isOpen throws(LMDBError) in
      let file = try DataFile(openingAt: path, options)
      guard !isOpen(file) else { throw LMDBError(.open, .busy, path) }
      guard let session = try file.journalMarker?.session, session != .none else { return }
      do throws(LMDBError) {
        return try Journal.replay(at: path, options)
      } catch {
        guard error.code == .journalMissing || acceptsDamage && error.code == .corrupted else {
          throw error
        }
      }
      try JournalRecovery.acceptWithoutJournal(
        file, session, options, acceptsDamage: acceptsDamage)
    }
  }
}

/// The environments that are open in this process, one for each file.
///
/// The C library must not open a file twice in one process: closing one of the two would drop
/// the file locks of the other. So a second opening shares the first one's core, and the last
/// release closes it.
///
/// Threads: any; files are opened and closed one after the other, under the lock of `entries`.
enum EnvironmentRegistry {
  /// How often a file is opened again because it was replaced meanwhile.
  static let attempts = 9

  private static let entries = ConditionMutex<[FileIdentity: EnvironmentCore]>([:])

  /// The cores of all open files.
  static var openCores: [EnvironmentCore] { entries.withLock { Array($0.values) } }

  /// The core of a file, opened or shared; each call must be balanced by one of `release`.
  static func open(
    _ path: String, _ options: Environment.Options, _ row: IdentifyingRow? = nil
  ) throws(LMDBError) -> EnvironmentCore {
    // Opening waits while another process compacts the file, which replaces it.
    for _ in 1..<attempts {
      do throws(LMDBError) {
        return try openOnce(path, options, row)
      } catch {
        guard error.code == .replaced else { throw error }
      }
    }
    return try openOnce(path, options, row)
  }

  private static func openOnce(
    _ path: String, _ options: Environment.Options, _ row: IdentifyingRow?
  ) throws(LMDBError) -> EnvironmentCore {
    let file = try DataFile(openingAt: path, options)
    let shared = try entries.withLock { entries throws(LMDBError) in
      try share(file, options, entries)
    }
    if let shared { return shared }
    // What an earlier user has not closed is not validated before its journal was replayed.
    let (wasOpen, journal) = try entries.withLock { entries throws(LMDBError) in
      isOpen(file, among: entries)
        ? (true, nil) : (false, try Journal.open(for: file, options, row))
    }
    // Validation may take long. Other files can be opened and closed meanwhile.
    let treeCount = try FileValidator.check(
      file, isReadOnly: options.isReadOnly, within: options.writerTimeout)
    // A file that this call has created is not removed when opening fails: another process may have
    // replaced it or written to it by then.
    return try entries.withLock { entries throws(LMDBError) in
      if let shared = try share(file, options, entries) { return shared }
      // Closing either of two files with the same lock table would drop the locks of the other.
      guard !isLockTableInUse(of: file, by: entries) else {
        throw .fileReplaced(.open, path, "this process still has the file before it open")
      }
      // Another thread has closed it meanwhile, so that the journal can be opened now.
      guard !wasOpen else { throw LMDBError(.open, .replaced, path) }
      let core = try EnvironmentCore(
        opening: file, options, journal, treeCount: treeCount)
      entries[core.identity] = core
      if core.journal != nil { closeJournalsAtExit() }
      return core
    }
  }

  /// The core of a file that is open already.
  private static func share(
    _ file: DataFile, _ options: Environment.Options, _ entries: [FileIdentity: EnvironmentCore]
  ) throws(LMDBError) -> EnvironmentCore? {
    // An entry from before a fork is the parent's: it is not used, and the file is opened again.
    guard let core = entries[file.identity], core.isOfThisProcess else { return nil }
    try core.checkUsable(for: .open)
    try core.checkNotReplaced(for: .open)
    guard core.options.allows(sharingBy: options) else {
      throw LMDBError(.open, .optionsDiffer, file.path)
    }
    guard core.databases.capacity >= options.maxDatabases else {
      throw LMDBError(.open, .databasesFull, core.databases.fullDetail(file.path))
    }
    core.holderCount.add(1, ordering: .relaxed)
    return core
  }

  /// Runs a body while this process opens and closes no file.
  ///
  /// - Parameter body: Gets a function that tells whether a file is open.
  static func whileNothingIsOpened<R>(
    _ body: ((DataFile) -> Bool) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    try entries.withLock { entries throws(LMDBError) in
      let entries = entries
      return try body { isOpen($0, among: entries) }
    }
  }

  private static func isOpen(
    _ file: DataFile, among entries: [FileIdentity: EnvironmentCore]
  ) -> Bool {
    entries[file.identity]?.isOfThisProcess == true
      || isLockTableInUse(of: file, by: entries)
  }

  /// Whether an open file has the lock table of another: that one took its name.
  private static func isLockTableInUse(
    of file: DataFile, by entries: [FileIdentity: EnvironmentCore]
  ) -> Bool {
    if entries.isEmpty { return false }
    guard let lockTable = LockFile.identity(of: file) else { return false }
    return entries.values.contains { $0.hasLockTable(lockTable) }
  }

  /// Releases a core, and closes its file when nothing else holds it.
  static func release(_ core: EnvironmentCore) {
    entries.withLock { entries in
      guard entries[core.identity] === core,
        core.holderCount.subtract(1, ordering: .relaxed).newValue == 0
      else { return }
      entries[core.identity] = nil
      core.close()
    }
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

// Opening the C environment, and the checks before it is used.
extension EnvironmentCore {
  /// Opens a validated file, with room for the trees that it has, and checks it before it is used.
  convenience init(
    opening file: DataFile, _ options: Environment.Options, _ journal: Journal?, treeCount: Int
  ) throws(LMDBError) {
    var roomy = options
    roomy.maxDatabases = options.capacity(forExisting: treeCount)
    let (handle, pages, lockTable) = try Self.openMapped(file, roomy)
    let journalFile = journal?.journalFile
    let opened = [
      DirectoryEntry(path: file.realPath, identity: file.identity), lockTable,
      journalFile.map { DirectoryEntry(path: $0.path, identity: $0.identity) },
    ].compactMap(\.self)
    self.init(
      file, options, handle, pages, journal, capacity: roomy.maxDatabases, lockTable: lockTable,
      opened)
    do throws(LMDBError) {
      try checkOpened(as: opened, lockTable)
    } catch {
      handle.close()
      throw error
    }
  }

  /// Opens the C environment and maps its pages a second time, for this module's own readers.
  private static func openMapped(
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
      guard options.isReadOnly, error.code.forbidsWriting else { throw error }
    }
    return (try .open(file.realPath, options, isWithoutLockTable: true), nil)
  }

  /// Checks a C environment that was just opened, and prepares it for transactions.
  private func checkOpened(
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
    // The C library may have created the file, in a format whose pages cannot be read here.
    _ = try MetaPage(try file.read(at: 0, count: MetaPage.byteCount), of: path)
    // Before the first read: dead processes may have all reader slots. An error of this call is an
    // error of the next one too, which throws.
    _ = handle.clearStaleReaders()
    try checkProcessNumber()
    try sharedLock?.enter(within: options.writerTimeout)
    defer { sharedLock?.leave() }
    try checkMetaPages()
    if lockEntry != nil { try checkLockTable() }
    try checkNames()
  }

  /// Throws where a process of the same number has the file open, as one of another container may have.
  ///
  /// The C library knows readers by the numbers of their processes, and locks a byte of the lock table for its own
  /// in the first read.
  private func checkProcessNumber() throws(LMDBError) {
    let (begun, code) = handle.begin(isReadOnly: true)
    begun?.abort()
    guard ![EAGAIN, EACCES].contains(code) else {
      throw LMDBError(.open, .processNumberTaken, path)
    }
  }

  /// Begins a transaction, after enlarging the map if another process has grown the file since it was opened.
  private func beginFirst(isReadOnly: Bool) throws(LMDBError) -> TransactionHandle {
    for _ in 0..<100 {
      let (begun, code) = handle.begin(isReadOnly: isReadOnly)
      if let begun { return begun }
      guard code == LMDBError.Code.mapResized.rawValue else { throw LMDBError(.open, code, path) }
      try growth.adopt(for: .open)
    }
    throw LMDBError(.open, .mapResized, path)
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
  ///
  /// The C library chooses the order of names in the first transaction that opens a tree, without a lock.
  /// So it is made to do so here, while no other transaction is there.
  private func checkNames() throws(LMDBError) {
    for _ in 0..<100 {
      let transaction = try beginFirst(isReadOnly: true)
      defer { transaction.abort() }
      var commit = CommitPages(pages)
      // Other processes may commit meanwhile.
      guard commit.load(transaction.id) else { continue }
      var check = PageCheck(commit, keeping: 1)
      check.runOverNames()
      try check.throwProblem(.open)
      let opened = transaction.openDatabase(nil, flags: 0).code
      guard opened == 0 else { throw LMDBError(.open, opened, path) }
      return
    }
    throw LMDBError(.open, .corrupted, "\(path); its meta page")
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
    let transaction = try beginFirst(isReadOnly: true)
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
    try beginFirst(isReadOnly: false).abort()
    return try leadOverLockTable()
  }
}
