internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The C environment that all environments of one file share, and what guards it.
///
/// Threads: any. Each part says what protects it.
final class EnvironmentCore: Sendable {
  /// Where the file stood when a writer last looked for readers that have died.
  struct Reaping {
    var version = 0
    var usedBytes = 0
  }

  /// What is remembered about enlarging the map.
  struct Growth {
    /// How much of the file was used when growing last failed.
    var attemptedAtBytes = 0
    /// Whether a transaction did not fit and the map could not grow since.
    var isOverdue = false
  }

  let path: String
  let options: Environment.Options
  let identity: FileIdentity
  let file: DataFile
  let handle: EnvironmentHandle
  /// The pages that read transactions look at.
  let pages: PageMap
  let databases: DatabaseTable
  let readers: ReaderPool
  let writer: WriterLock
  /// The running writer's cursors.
  let writeSlots: WriteSlots
  /// What the running writer has to settle at its end.
  let openings: Openings
  let growth = Monitor(Growth())
  /// Where the file, and its lock table if it has one, lay when it was opened; none of a file that
  /// is to lose its name.
  let places: [FilePlace]
  /// Whether one of them was found to be gone.
  let isReplaced = Atomic(false)
  /// When a reader last looked at them, in nanoseconds.
  let placesLookedAt = Atomic<UInt64>(0)
  let reaping = Monitor(Reaping())
  /// Whether the C library has lost its map.
  let isBroken = Atomic(false)
  /// For a file whose lock table cannot be written to: what keeps writers out while it is read.
  let readingLock: ReadingLock?
  /// Whether the pages have been looked at before the first write.
  let hasCheckedPages = Atomic(false)
  private let forks = ForkWatch.start()

  init(opening file: DataFile, _ options: Environment.Options) throws(LMDBError) {
    self.file = file
    self.options = options
    path = file.path
    identity = file.identity
    let capacity = options.capacity(forExisting: try Preflight.treeCount(of: file))
    var roomy = options
    roomy.maxDatabases = capacity
    let lockPlace: FilePlace?
    (handle, pages, lockPlace) = try Self.openMapped(file, roomy)
    let foundPlaces =
      [FilePlace(path: file.realPath, identity: file.identity)] + (lockPlace.map { [$0] } ?? [])
    places = options.losesItsName ? [] : foundPlaces
    readingLock = lockPlace == nil ? ReadingLock(file) : nil
    readers = ReaderPool(places: handle.maxReaders)
    databases = DatabaseTable(capacity: capacity)
    writer = WriterLock(file)
    writeSlots = WriteSlots(capacity: capacity, maxKeyBytes: handle.maxKeyBytes)
    openings = Openings(databases, writeSlots)
    do throws(LMDBError) {
      // Another process may have put another file in the place of the one that was looked at, and
      // of the one that was opened: to read, the C library opens a file before it waits for the
      // lock table, and a compaction in whose way it stood had the file renamed over by then.
      guard file.isSame(as: handle.descriptor), foundPlaces.allSatisfy(\.isKept) else {
        throw LMDBError(.open, .replaced, path)
      }
      if let lockPlace { try file.join(usersOf: lockPlace) }
      try checkFormat()
      // Before the first read: the dead may have all places.
      reapReaders()
      try readingLock?.enter(within: options.writerTimeout)
      defer { readingLock?.leave() }
      try checkFrontPages()
      if lockPlace != nil { try checkLockTable() }
      try checkNames()
      try openNames()
    } catch {
      handle.close()
      throw error
    }
  }

  /// Throws when the C library has made a new file in a format that pages cannot be read in.
  ///
  /// A file that was there before was looked at before it was opened.
  private func checkFormat() throws(LMDBError) {
    _ = try MetaPage(try file.read(at: 0, count: MetaPage.byteCount), of: path)
  }

  /// Whether the process is the one that opened the environment, and no child of a fork.
  @inline(__always)
  var isOfThisProcess: Bool { forks == ForkWatch.current }

  /// Throws when no transaction can be begun any more.
  @inline(__always)
  func checkUsable(for operation: LMDBError.Operation) throws(LMDBError) {
    guard isOfThisProcess else { throw LMDBError(operation, .forked, path) }
    guard !isBroken.load(ordering: .relaxed) else { throw LMDBError(operation, .panic, path) }
    // A copy is how to save what only this process can see any more.
    guard operation == .copy || !isReplaced.load(ordering: .relaxed) else {
      throw .fileReplaced(
        operation, path, "it or its lock table was removed or replaced while it was open")
    }
  }

  /// Closes the C environment; the registry calls it once, when no transaction is left.
  func close() {
    // What a child of a fork has is the parent's.
    guard isOfThisProcess else { return }
    // The C library would write to the part of the lock table that is gone, which ends the process.
    guard !places.dropFirst().contains(where: \.isCut) else { return }
    readers.drain()
    handle.close()
    pages.unmap()
  }

  /// A number of bytes, rounded up to whole pages of the system.
  static func wholePages(_ bytes: Int) -> Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    return (bytes + page - 1) / page * page
  }

  /// Opens the C environment and maps its pages a second time, for readers of our own.
  private static func openMapped(
    _ file: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> (EnvironmentHandle, PageMap, lockPlace: FilePlace?) {
    var options = options
    while true {
      let (handle, lockPlace) = try openHandle(file, options)
      let pages = PageMap(file, pageBytes: handle.pageBytes)
      let mapBytes = handle.usage.mapBytes
      if pages.map(mapBytes) { return (handle, pages, lockPlace) }
      handle.close()
      // The C library makes its map as large as the pages that the file counts, whatever is asked for.
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
  ) throws(LMDBError) -> (EnvironmentHandle, lockPlace: FilePlace?) {
    do throws(LMDBError) {
      if !options.isReadOnly || !file.isOnReadOnlyFileSystem {
        let place = try LockFile.prepare(for: file, options)
        let handle = try EnvironmentHandle.open(file.realPath, options)
        return (handle, place.withLengthNow())
      }
    } catch {
      // The data file is open already, so that it is the lock table that cannot be had.
      guard options.isReadOnly,
        [.noPermission, .notPermitted, .readOnlyFileSystem].contains(error.code)
      else { throw error }
    }
    return (try .open(file.realPath, options, isWithoutLockTable: true), nil)
  }
}

extension EnvironmentHandle {
  /// Opens a C environment, with half the map as often as the address space does not suffice.
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
