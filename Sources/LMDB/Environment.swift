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

  /// The path by which the file was first opened in this process.
  public var path: String { core.path }

  /// Whether anything else has the file open: another process, or another environment of this one.
  ///
  /// It is true also where the system does not say (other systems than Linux).
  package var hasOtherUsers: Bool { core.hasOtherUsers }

  /// Whether the file has a journal, which every process has to use.
  package var hasJournal: Bool { core.journal != nil }

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
    /// The commit waits for nothing: its record is synced later, in a journal as with ``journal``.
    ///
    /// It is synced with those of other processes, or within a second or two, or after 256 commits. A power cut may
    /// undo the commits since then, and never damages the file. See <doc:Journal>.
    ///
    /// Where the file has no journal and can get none, the commit waits until the data is on the disk, but not for
    /// the meta page: a power cut may undo the last commit. The C constant is `MDB_NOMETASYNC`.
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
