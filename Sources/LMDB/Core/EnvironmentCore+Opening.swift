// Opening the C environment, and what is checked before it is used.
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
      return try check.throwProblem(.open, path)
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
