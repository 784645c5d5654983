internal import CLMDB

/// What stands behind all the environments of one file: the C environment and what guards it.
///
/// Threads: any. Each part says what protects it.
final class EnvironmentCore: Sendable {
  let path: String
  let options: Environment.Options
  let identity: FileIdentity
  let handle: EnvironmentHandle
  let databases: DatabaseTable
  let readers: ReaderPool
  let writer: WriterLock
  /// The running writer's cursors.
  let writeSlots: WriteSlots
  /// The running writer's new databases.
  let openings: Openings
  private let file: DataFile

  init(opening file: DataFile, _ options: Environment.Options) throws(LMDBError) {
    self.file = file
    self.options = options
    path = file.path
    identity = file.identity
    handle = try Self.openHandle(file, options)
    databases = DatabaseTable(capacity: options.maxDatabases)
    readers = ReaderPool(handle)
    writer = WriterLock()
    writeSlots = WriteSlots(capacity: options.maxDatabases, maxKeyBytes: handle.maxKeyBytes)
    openings = Openings(databases)
    do {
      try databases.openExisting(in: handle)
    } catch {
      handle.close()
      throw error
    }
  }

  var isOfThisProcess: Bool { true }

  /// Closes the C environment; the registry calls it once, when no transaction is left.
  func close() {
    readers.drain()
    handle.close()
  }

  private static func openHandle(
    _ file: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> EnvironmentHandle {
    var flags = MDB_NOSUBDIR | MDB_NOTLS
    if options.isReadOnly { flags |= MDB_RDONLY }
    switch options.durability {
    case .full: break
    case .relaxed: flags |= MDB_NOMETASYNC
    case .unsafe: flags |= MDB_NOSYNC
    }
    let (created, code) = EnvironmentHandle.create()
    guard let handle = created else { throw LMDBError(.open, code, file.path) }
    for code in [
      handle.setMapSize(options.mapSizeBytes),
      handle.setMaxReaders(UInt32(options.maxReaders)),
      handle.setMaxDatabases(UInt32(options.maxDatabases)),
      handle.open(file.path, flags: flags, mode: options.fileMode),
    ] where code != 0 {
      handle.close()
      throw LMDBError(.open, code, file.path)
    }
    return handle
  }

}
