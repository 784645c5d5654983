internal import Synchronization

/// One LMDB file, open in this process: a single file of named databases with transactions over
/// them.
///
/// ```swift
/// let environment = try Environment.open(at: "people.mdb")
/// try environment.write { transaction in
///   let people = try transaction.openDatabase(named: "people")
///   try transaction.put(value, at: key, in: people)
/// }
/// ```
/// Opening a file that is open already shares it, by whatever path it is opened; the file is closed
/// when the last ``Environment``, transaction and snapshot of it is released.
///
/// Threads: any. Readers never wait for the writer; there is one writer at a time, of all
/// processes.
public final class Environment: Sendable {
  let core: EnvironmentCore

  init(holding core: EnvironmentCore) {
    self.core = core
  }

  deinit {
    EnvironmentRegistry.release(core)
  }

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

  /// Replays the journal of a file that was not closed, unless a process has the file open.
  ///
  /// ``open(at:options:)`` does the same. Nothing is done where there is no file, or where the options forbid
  /// writing.
  ///
  /// - Throws: ``LMDBError/Code/journalMissing``, ``LMDBError/Code/busy``, or what opening and writing throw.
  package static func replayJournal(at path: String, options: Options) throws(LMDBError) {
    try EnvironmentRegistry.whileNothingIsOpened { isOpen throws(LMDBError) in
      guard !options.isReadOnly, TemporaryFile.exists(path) else { return }
      var reading = options
      reading.isReadOnly = true
      let file = try DataFile(openingAt: path, reading)
      guard !isOpen(file), try file.journalMarker?.isOpen == true else { return }
      try Journal.replay(at: path, options)
    }
  }

  /// Makes a file complete without its journal: by a replay, or as it is where the journal is lost.
  ///
  /// Commits that only the lost journal has are given up. All pages of the file's last commit are checked first.
  ///
  /// - Throws: ``LMDBError/Code/corrupted`` where a page is damaged, ``LMDBError/Code/busy`` where a process
  ///   has the file open, or a code of the system. The file is unchanged then.
  /// - Complexity: O(pages).
  package static func recover(at path: String, options: Options) throws(LMDBError) {
    try EnvironmentRegistry.whileNothingIsOpened { isOpen throws(LMDBError) in
      let file = try DataFile(openingAt: path, options)
      guard !isOpen(file) else { throw LMDBError(.open, .busy, path) }
      guard let session = try file.journalMarker?.session, session != .none else { return }
      do throws(LMDBError) {
        return try Journal.replay(at: path, options)
      } catch {
        guard error.code == .journalMissing else { throw error }
      }
      try JournalRecovery.acceptWithoutJournal(file, session, options)
    }
  }

  /// The path by which the file was first opened in this process.
  public var path: String { core.path }

  /// Whether anything else has the file open: another process, or another environment of this one.
  ///
  /// It is true also where the system does not say (other systems than Linux).
  package var hasOtherUsers: Bool { core.hasOtherUsers }

  /// The options with which the file was opened.
  public var options: Options { core.options }

  /// The most bytes that a key may have: 511 unless the library was built otherwise.
  public var maxKeyBytes: Int { core.handle.maxKeyBytes }

  /// The bytes of address space that are reserved for the file, which it can grow to without
  /// remapping.
  public var mapSizeBytes: Int { core.growth.usage.mapBytes }
}

extension Environment {
  /// Runs a closure with a read transaction, which sees the last commit.
  ///
  /// - Throws: What the closure throws, ``LMDBError/Code/readersFull``,
  ///   ``LMDBError/Code/mapResized`` when another process has grown the file while a snapshot
  ///   of this one was open, ``LMDBError/Code/forked``.
  /// - Complexity: O(1); transactions are pooled.
  public func read<R: ~Copyable>(
    _ body: (inout ReadTransaction) throws -> R
  ) throws -> R {
    var transaction = try ReadTransaction(beginningIn: self)
    return try body(&transaction)
  }

  /// Runs a closure with a write transaction, and commits when the closure returns.
  ///
  /// When the closure throws, the transaction is aborted. The closure runs once.
  ///
  /// Threads: the closure runs on the calling thread. It must not begin another write of the same
  /// environment.
  /// - Throws: What the closure throws, ``LMDBError/Code/busy`` when another writer was at work
  ///   for longer than ``Options/writerTimeout``, ``LMDBError/Code/writeInsideWrite``,
  ///   ``LMDBError/Code/readOnly``, ``LMDBError/Code/forked``, or the error of the
  ///   commit.
  @discardableResult
  public func write<R: ~Copyable>(
    _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    var transaction = try WriteTransaction(beginningIn: self)
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  /// Sets a handler that is called when a write has waited a second for one of another process.
  ///
  /// The open file has one handler, as with `sqlite3_busy_handler`: a later one replaces it. The
  /// wait continues until ``Options/writerTimeout``.
  ///
  /// - Parameter handler: Called on the waiting thread with a text that names process and file, once
  ///   for each wait; it must not write to the environment. Nil for none.
  public func setBusyHandler(_ handler: (@Sendable (String) -> Void)?) {
    core.writerLock.setBusyHandler(handler)
  }

  /// An identity that all environments of one file in this process share.
  package var file: ObjectIdentifier { ObjectIdentifier(core) }

  /// The path of the file without links, as it was when the file was opened.
  package var realPath: String { core.file.realPath }

  /// How many threads of this process wait for the writer's lock.
  package var waitingWriterCount: Int { core.writerLock.waitingCount }
}

extension Environment {
  /// How an environment is opened.
  public struct Options: Sendable, Hashable {
    /// The bytes of address space to reserve, halved until the system grants them; 64 GiB by
    /// default.
    ///
    /// Address space costs neither memory nor disk. The file grows as rows are written, and the
    /// reservation is enlarged before the file fills it; with a large one that is rare.
    public var mapSizeBytes = 64 << 30
    /// The most read transactions at a time, in all processes together.
    ///
    /// The process that opens the file first sets the number for all of them.
    public var maxReaders = 512
    /// The most named databases that are open at a time, unless the file has more.
    ///
    /// A file that has more gets room for all of them and a quarter more, up to 16,384. The beginning
    /// of a write, nested or not, takes time in proportion to the number.
    public var maxDatabases = 256
    /// What a commit waits for before it returns.
    public var durability = Durability.full
    /// Whether writing is refused; the file must then exist.
    public var isReadOnly = false
    /// The permissions of files that are created, less the process's mask.
    public var fileMode: UInt16 = 0o600
    /// How long a writer waits for another one, of this process or not.
    public var writerTimeout = Duration.seconds(10)
    /// Whether a file on a network file system may be opened, where locks and maps are not reliable.
    public var allowsNetworkFileSystem = false
    /// Whether the caller unlinks the file as soon as it is open, so that no other process opens it.
    package var isUnlinkedAfterOpening = false

    /// The defaults.
    public init() {}

    /// The highest limit to which the existing databases of a file can raise ``maxDatabases``.
    package static let mostDatabases = 16_384

    /// The limit of named databases for a file that has some already.
    func capacity(forExisting count: Int) -> Int {
      max(maxDatabases, count < maxDatabases ? 0 : min(count + count / 4, Self.mostDatabases))
    }

    /// Whether an environment that is open with these options can be shared with other options.
    func allows(sharingBy other: Self) -> Bool {
      var other = other
      other.maxDatabases = maxDatabases
      return self == other
    }
  }

  /// What a commit waits for before it returns.
  public enum Durability: Sendable, Hashable {
    /// The commit waits until everything is on the disk: it survives a power cut.
    case full
    /// The commit waits until its record is on the disk, in a journal beside the file.
    ///
    /// It survives a power cut as with ``full``, and waits for the disk once instead of twice. The file is
    /// complete only together with the journal, whose name is the file's with `-journal` after it, until the
    /// last process has closed both. See <doc:Journal>.
    ///
    /// A file gets a journal when a process opens it so while no other has it open. Every process then uses it,
    /// whatever durability it asks for. Elsewhere than on Linux it is ``full``.
    case journal
    /// The commit waits until the data is on the disk, but not for the meta page.
    ///
    /// A power cut may undo the last commit, and never damages the file. The C constant is
    /// `MDB_NOMETASYNC`.
    case relaxed
    /// The commit waits for nothing: a power cut may damage the file.
    ///
    /// Use it for data that can be made again. The C constant is `MDB_NOSYNC`.
    case unsafe
  }
}

extension Environment {
  /// The bytes of a file, and how many of them are free.
  package struct SpaceUsage: Sendable {
    /// The size of the file.
    package let fileBytes: Int
    /// The bytes that later commits may reuse.
    package let freeBytes: Int

    /// The figures of a file that has no writer.
    init(_ pages: CommitPages, of file: DataFile) throws(LMDBError) {
      do {
        fileBytes = try file.size
        freeBytes = try pages.freedPages().values.reduce(0, +) * pages.map.pageBytes
      } catch {
        let code = (error as? LMDBError)?.code ?? .corrupted
        throw LMDBError(.open, code, "\(file.path); its list of free pages")
      }
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
    _ path: String, _ options: Environment.Options
  ) throws(LMDBError) -> EnvironmentCore {
    // Opening waits while another process compacts the file, which replaces it.
    for _ in 1..<attempts {
      do throws(LMDBError) {
        return try openOnce(path, options)
      } catch {
        guard error.code == .replaced else { throw error }
      }
    }
    return try openOnce(path, options)
  }

  private static func openOnce(
    _ path: String, _ options: Environment.Options
  ) throws(LMDBError) -> EnvironmentCore {
    let file = try DataFile(openingAt: path, options)
    let shared = try entries.withLock { entries throws(LMDBError) in
      try share(file, options, entries)
    }
    if let shared { return shared }
    // What an earlier user has not closed is not validated before its journal was replayed.
    let (wasOpen, journal) = try entries.withLock { entries throws(LMDBError) in
      isOpen(file, among: entries) ? (true, nil) : (false, try Journal.open(for: file, options))
    }
    // Validation may take long. Other files can be opened and closed meanwhile.
    try FileValidator.check(file, isReadOnly: options.isReadOnly, within: options.writerTimeout)
    // A file that this call has created is not removed when opening fails: another process may have
    // replaced it or written to it by then.
    return try entries.withLock { entries throws(LMDBError) in
      if let shared = try share(file, options, entries) { return shared }
      // Closing either of two files with the same lock table would drop the locks of the other.
      guard !entries.values.contains(where: { $0.sharesLockTable(with: file) }) else {
        throw .fileReplaced(.open, path, "this process still has the file before it open")
      }
      // Another thread has closed it meanwhile, so that the journal can be opened now.
      guard !wasOpen else { throw LMDBError(.open, .replaced, path) }
      let core = try EnvironmentCore(opening: file, options, journal)
      entries[core.identity] = core
      if core.journal != nil { closesJournalsAtExit }
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
  static func whileNothingIsOpened(
    _ body: ((DataFile) -> Bool) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try entries.withLock { entries throws(LMDBError) in
      let entries = entries
      try body { isOpen($0, among: entries) }
    }
  }

  private static func isOpen(
    _ file: DataFile, among entries: [FileIdentity: EnvironmentCore]
  ) -> Bool {
    entries[file.identity]?.isOfThisProcess == true
      || entries.values.contains { $0.sharesLockTable(with: file) }
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
