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

  /// The path by which the file was first opened in this process.
  public var path: String { core.path }

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
    var transaction = try beginRead()
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
    var transaction = try beginWrite()
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  /// A read transaction, which ends when the value is destroyed.
  package func beginRead() throws(LMDBError) -> ReadTransaction {
    ReadTransaction(self, try core.beginRead())
  }

  /// A write transaction, which aborts when the value is destroyed without a commit.
  package func beginWrite() throws(LMDBError) -> WriteTransaction {
    WriteTransaction(self, try core.beginWrite())
  }

  /// An identity that all environments of one file in this process share.
  package var file: ObjectIdentifier { ObjectIdentifier(core) }

  /// The path of the file without links, as it was when the file was opened.
  package var realPath: String { core.file.realPath }

  /// How many threads of this process wait for the writer's lock.
  package var waitingWriterCount: Int { core.writerLock.waitingCount }
}
