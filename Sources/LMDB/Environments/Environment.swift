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
/// Opening a file that is open already shares it, whatever path leads to it; the file is closed
/// when the last ``Environment``, transaction and snapshot of it is gone.
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
  /// The file is looked at before it is mapped: one that is not LMDB's is refused as it is, and
  /// nothing is created beside it. The corresponding C function is `mdb_env_open`.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist. LMDB keeps its lock table beside it, in a file
  ///     of the same name with `-lock` after it, which must be left alone.
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

  /// The file that was opened first, as it was named then.
  public var path: String { core.path }

  /// How the file was opened.
  public var options: Options { core.options }

  /// The most bytes that a key may have: 511 unless the library was built otherwise.
  public var maxKeyBytes: Int { core.handle.maxKeyBytes }

  /// The bytes of address space that are reserved for the file, which it can grow to without
  /// remapping.
  public var mapSizeBytes: Int { core.usage.mapBytes }
}

extension Environment {
  /// Lends a read transaction to a closure: a view of the file as the last commit left it.
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

  /// Lends a write transaction to a closure, and commits when the closure returns.
  ///
  /// When the closure throws, nothing that it did remains. The closure runs once.
  ///
  /// Threads: the closure runs on the calling thread. It must not write to the same environment
  /// in another way.
  /// - Throws: What the closure throws, ``LMDBError/Code/busy`` when another writer was at work
  ///   for longer than ``Options/writerTimeout``, ``LMDBError/Code/writeInsideWrite``,
  ///   ``LMDBError/Code/readOnly``, ``LMDBError/Code/forked``, or what kept the commit from the
  ///   disk.
  @discardableResult
  public func write<R: ~Copyable>(
    _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    var transaction = try beginWrite()
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  /// A read transaction of one's own, which ends when the value goes.
  package func beginRead() throws(LMDBError) -> ReadTransaction {
    ReadTransaction(self, try core.beginRead())
  }

  /// A write transaction of one's own, which aborts when the value goes without a commit.
  package func beginWrite() throws(LMDBError) -> WriteTransaction {
    WriteTransaction(self, try core.beginWrite())
  }

  /// Which file it is: the same for all environments of one file in this process.
  package var file: ObjectIdentifier { ObjectIdentifier(core) }

  /// The path of the file without links, as it was when the file was opened.
  package var realPath: String { core.file.realPath }

  /// How many threads of this process wait for the writer's place.
  package var waitingWriterCount: Int { core.writer.waitingCount }
}
