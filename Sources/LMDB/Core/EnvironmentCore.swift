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
  /// Whether the contents of the file were found to be those of another one.
  private let isOverwritten = Atomic(false)
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

  /// The core of an environment that was opened, with the entries of all its files.
  init(
    _ file: DataFile, _ options: Environment.Options, _ handle: EnvironmentHandle,
    _ pages: PageMap, _ journal: Journal?, capacity: Int, lockTable: DirectoryEntry?,
    _ opened: [DirectoryEntry]
  ) {
    self.file = file
    self.options = options
    self.handle = handle
    self.pages = pages
    self.journal = journal
    self.lockTable = lockTable
    path = file.path
    identity = file.identity
    entries = options.isUnlinkedAfterOpening ? [] : opened
    sharedLock = lockTable == nil ? SharedFileLock(file) : nil
    readers = ReaderPool(slots: handle.maxReaders)
    growth = MapGrowth(file, handle, pages, readers)
    databases = DatabaseTable(capacity: capacity)
    writerLock = WriterLock(file)
    writerDatabases = WriterDatabases(
      databases, maxKeyBytes: handle.maxKeyBytes, redo: journal?.record)
  }

  /// Closes the C environment; the registry calls it once, when no transaction is left.
  func close() {
    // What a child of a fork has is the parent's.
    guard isOfThisProcess else { return }
    // The C library would write to the truncated part of the lock table: SIGBUS ends the process.
    guard !entries.dropFirst().contains(where: \.isTruncated) else { return }
    readers.closeIdle()
    closeJournal()
    if !isOfOtherFile { recordSoundState() }
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
        isOverwritten.load(ordering: .relaxed)
          ? overwriting
          : "it, its lock table or its journal was removed or replaced while it was open")
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
  ///
  /// - Returns: Whether it was checked.
  func checkNotReplacedWhenDue(
    for operation: LMDBError.Operation
  ) throws(LMDBError) -> Bool {
    let now = Deadline.coarseNow
    guard now &- replacementCheckedAt.load(ordering: .relaxed) > 100_000_000 else { return false }
    replacementCheckedAt.store(now, ordering: .relaxed)
    try checkNotReplaced(for: operation)
    return true
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

  /// Whether the bytes of the file are those of another one, as after a copy by `cp` onto it.
  ///
  /// Its inode is the same. But the lock table has the number of the last commit, and it is the file's, or one
  /// less where a writer was killed before it wrote it there. A file whose meta pages are not in order is damaged.
  ///
  /// - Parameters:
  ///   - reader: A reader that has begun.
  ///   - earlier: The number of the file's last commit before the reader began; nil where it is not known.
  func isOverwritten(_ reader: Reader, since earlier: Int? = nil) -> Bool {
    let version = reader.handle.id
    // In this order: later commits overwrite the meta page, and only after one that is complete.
    let isChanged = reader.pages.version == version && reader.pages.isChanged
    let last = handle.lastTransaction
    let isOfOther =
      last < version || earlier.map { $0 > version + 1 } ?? false
      || (last == version && isChanged)
    return isOfOther && CommitPages.hasMetaPagesInOrder(pages)
  }

  /// The error of a file that was overwritten; no transaction begins after it.
  func overwritten(for operation: LMDBError.Operation) -> LMDBError {
    isOverwritten.store(true, ordering: .relaxed)
    isReplaced.store(true, ordering: .relaxed)
    return .fileReplaced(operation, path, overwriting)
  }

  private var overwriting: String {
    "another program, such as cp, has written another file over it"
      + (lockTable == nil ? ", or its journal was replayed," : "") + " while it was open"
  }

  /// Whether the file was found to be overwritten, so that nothing may be written to it when it is closed.
  var isOfOtherFile: Bool { isOverwritten.load(ordering: .relaxed) }

  /// Whether anything else has the file open: another process, or another environment of this one.
  ///
  /// It is true also where the system does not say. On Linux it takes one system call.
  var hasOtherUsers: Bool {
    if holderCount.load(ordering: .relaxed) > 1 { return true }
    // A file without a name cannot be opened by others.
    if options.isUnlinkedAfterOpening { return false }
    return lockTable.map { file.isOpenElsewhere(with: $0) } ?? true
  }

  /// Whether a lock table is that of this file.
  func hasLockTable(_ lockTable: FileIdentity) -> Bool {
    isOfThisProcess && entries.contains { $0.identity == lockTable }
  }
}

extension LMDBError {
  /// The error of a file that was removed or replaced: the detail is its path and what happened.
  static func fileReplaced(_ operation: Operation, _ path: String, _ what: String) -> LMDBError {
    LMDBError(operation, .fileReplaced, "\(path); \(what)")
  }
}
