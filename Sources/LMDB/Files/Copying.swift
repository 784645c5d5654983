extension Environment {
  /// Copies the last commit to another file, while readers and writers continue.
  ///
  /// The copy gets its name when it is complete and on the disk. While it is made, the pages of its
  /// commit are not reused and the map cannot be moved, as with a snapshot. The corresponding
  /// C function is `mdb_env_copyfd2`.
  ///
  /// Threads: any that has no write transaction of this environment open.
  /// - Parameters:
  ///   - path: The new file; its folder must exist.
  ///   - isCompacting: Whether free pages are left out and the others are sorted, which reads the
  ///     trees instead of the file; all rows of such a copy are verified before it gets its name.
  ///   - replacesExisting: Whether a file of that name is replaced, which no process may have open;
  ///     the copy is then verified too.
  /// - Throws: ``LMDBError/Code/fileExists``, ``LMDBError/Code/isLink`` where a link is to be
  ///   replaced, ``LMDBError/Code/busy`` when a writer was running for longer than
  ///   ``Options/writerTimeout`` or the file to be replaced is open,
  ///   ``LMDBError/Code/writeInsideWrite``, ``LMDBError/Code/outOfSpace`` or another code of the
  ///   system. After an error there is no copy, and a file of that name is unchanged. The exception
  ///   is a failed sync of the folder: the file is replaced then, as the error's detail says, but a
  ///   power cut may undo that.
  /// - Complexity: O(bytes of the file).
  public func copy(
    to path: String, isCompacting: Bool = false, replacesExisting: Bool = false
  ) throws(LMDBError) {
    try copy(
      to: path, isCompacting: isCompacting, replacesExisting: replacesExisting,
      whileTrue: { _, _ in true })
  }

  /// Copies the last commit to another file, and tells how far it is.
  ///
  /// - Parameters:
  ///   - path: The new file; its folder must exist.
  ///   - isCompacting: As without the closure. The C library writes such a copy in one call, so that the closure
  ///     is called before and after it.
  ///   - replacesExisting: As without the closure.
  ///   - progress: Called with the bytes that are copied and those that there are; an error that it throws ends
  ///     the copy, and there is no file then.
  /// - Throws: As without the closure, and what the closure throws.
  /// - Complexity: O(bytes of the file).
  public func copy(
    to path: String, isCompacting: Bool, replacesExisting: Bool,
    progress: (_ copied: Int, _ all: Int) throws -> Void
  ) throws {
    var stop: (any Error)?
    do {
      try copy(
        to: path, isCompacting: isCompacting, replacesExisting: replacesExisting,
        whileTrue: { copied, all in
          do { try progress(copied, all) } catch { stop = error }
          return stop == nil
        })
    } catch { throw stop ?? error }
  }

  private func copy(
    to path: String, isCompacting: Bool, replacesExisting: Bool,
    whileTrue continues: (_ copied: Int, _ all: Int) -> Bool
  ) throws(LMDBError) {
    func check(_ copied: Int, _ all: Int) throws(LMDBError) {
      if !continues(copied, all) { throw LMDBError(.copy, .busy, "the copy was ended") }
    }
    try core.checkUsable(for: .copy)
    let isThere = TemporaryFile.exists(path)
    guard replacesExisting || !isThere else { throw LMDBError(.copy, .fileExists, path) }
    // The exclusive lock would be on the file that the link leads to.
    if isThere, DirectoryEntry.isLink(path) { throw LMDBError(.copy, .isLink, path) }
    let temporary = try TemporaryFile(of: path, mode: options.fileMode)
    let source = try core.withoutWriter { () throws(LMDBError) in
      try isCompacting ? nil : CopySource(self)
    }
    if let source {
      try source.write(to: temporary, check)
    } else {
      let bytes = try core.file.size
      try check(0, bytes)
      try core.compact(to: temporary, holding: self)
      try check(bytes, bytes)
    }
    try temporary.synchronize()
    // A copy that replaces a file, which may be an older and better one, is verified too.
    if isCompacting || isThere { try CopyVerifier.check(temporary.path, against: nil, options) }
    guard isThere else { return try temporary.publish(replacesExisting: false) }
    try EnvironmentRegistry.replace(path, with: temporary, options)
  }

  /// Replaces a file, which no process may have open, by a compacted copy.
  ///
  /// The copy is compared with the file, row by row, before it replaces it. Opening the file waits
  /// meanwhile, and so does opening or closing any file in this process.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: The options with which the file is usually opened.
  /// - Throws: ``LMDBError/Code/busy`` when this process or another one has the file open, and
  ///   what opening and copying throw; then the file is unchanged.
  /// - Complexity: O(bytes of the file).
  public static func compact(at path: String, options: Options = Options()) throws(LMDBError) {
    try EnvironmentRegistry.compact(path, options) { _, _ throws(LMDBError) in true }
  }

  /// Replaces a file by a compacted copy, if it belongs to the program and a rule accepts it.
  ///
  /// Both closures are called while no process has the file open, so that they decide about the
  /// file that is compacted.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: The options with which the file is usually opened.
  ///   - row: The row by which the program knows its files.
  ///   - rule: Whether a file of such a size, with so many free pages, is compacted.
  /// - Throws: As ``compact(at:options:)``.
  package static func compact(
    at path: String, options: Options, knownBy row: IdentifyingRow,
    when rule: (SpaceUsage) -> Bool
  ) throws(LMDBError) {
    try EnvironmentRegistry.compact(path, options) { file, pages throws(LMDBError) in
      guard try row.identifies(pages) else { return false }
      return rule(try SpaceUsage(pages, of: file))
    }
  }
}

extension Environment {
  /// Copies a file that no process writes to, byte by byte, into a new file of its own.
  ///
  /// A link is followed: the copy is a regular file, whatever leads to the original, and neither the
  /// original nor its permissions change. The file is not validated.
  ///
  /// - Parameters:
  ///   - path: The file, or a link to it.
  ///   - destination: The new file, which only this user may read and write.
  ///   - timeout: How long a writer is waited for.
  /// - Throws: ``LMDBError/Code/noSuchFile``, ``LMDBError/Code/foreignLink``,
  ///   ``LMDBError/Code/isDirectory``, ``LMDBError/Code/fileExists``, ``LMDBError/Code/busy``, or a code of the system; then there is no copy.
  /// - Complexity: O(bytes of the file).
  package static func copyFile(
    at path: String, to destination: String, within timeout: Duration = .seconds(2)
  ) throws(LMDBError) {
    var options = Options()
    options.isReadOnly = true
    options.allowsNetworkFileSystem = true
    let file = try DataFile(openingAt: path, options)
    // Nobody writes to the file, or replays its journal, from here on.
    guard try file.lock(isShared: true, before: Deadline(after: timeout)) else {
      throw LMDBError(.copy, .busy, "another program is writing to \(path)")
    }
    defer { file.unlock() }
    guard try file.journalMarker?.isOpen == true else {
      return try TemporaryFile.copy(file, to: destination, options)
    }
    // The copy is complete only together with a journal, which its opening replays.
    guard let journal = try JournalFile(openingFor: file, isReadOnly: true) else {
      throw LMDBError(.copy, .journalMissing, path)
    }
    let copy = try TemporaryFile(of: destination + JournalFile.suffix, mode: options.fileMode)
    try copy.write(try journal.bytes)
    try copy.publish(replacesExisting: false, isSynchronized: false)
    try TemporaryFile.copy(file, to: destination, options)
  }
}

extension EnvironmentCore {
  /// How often copying is tried, when other processes commit or grow the file meanwhile.
  fileprivate static let mostCopyAttempts = 3

  /// Runs a body while there is no writer, which is waited for within the timeout of the options.
  fileprivate func withoutWriter<R>(
    _ body: () throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    // Without a lock table the readers' lock on the data file keeps writers out.
    guard sharedLock == nil else { return try body() }
    try writerLock.acquire(within: options.writerTimeout)
    defer { writerLock.release() }
    return try body()
  }

  /// Writes a compacted copy of the last commit, under a snapshot that keeps the map in place.
  fileprivate func compact(
    to temporary: TemporaryFile, holding environment: Environment
  ) throws(LMDBError) {
    var code: Int32 = 0
    // Another process may grow the file past the map between the snapshot and the copy.
    for _ in 0..<Self.mostCopyAttempts {
      let snapshot = try Snapshot(of: environment, named: "copy", for: .copy)
      let (_, problems) = try snapshot.beginRead(for: .copy).checkPages(keeping: 1)
      if let first = problems.first { throw LMDBError(.copy, .corrupted, "\(path); \(first)") }
      code = handle.copy(to: temporary.descriptor, isCompacting: true)
      withExtendedLifetime(snapshot) {}
      guard code == LMDBError.Code.mapResized.rawValue else { break }
    }
    guard code == 0 else { throw LMDBError(.copy, code, path) }
  }
}

/// The source of a copy: the pages of a snapshot, and the two meta pages that refer to them.
///
/// The C library has a function that copies a file as it is, but it waits for a running writer
/// without a timeout, and other writers wait for it.
private struct CopySource {
  private let snapshot: Snapshot
  private let file: DataFile
  private let metaPages: [UInt8]
  private let endOffset: Int

  /// Reads the meta pages of a file while there is no writer.
  init(_ environment: Environment) throws(LMDBError) {
    let core = environment.core
    file = core.file
    let pageBytes = core.handle.pageBytes
    // A program that does not use this module's lock may commit between the two.
    for _ in 0..<EnvironmentCore.mostCopyAttempts {
      let snapshot = try Snapshot(of: environment, named: "copy", for: .copy)
      let metaPages = try file.read(at: 0, count: 2 * pageBytes)
      let first = try MetaPage(metaPages, of: core.path)
      let second = try MetaPage(Array(metaPages.dropFirst(pageBytes)), of: core.path)
      let newest = second.transaction > first.transaction ? second : first
      guard Int(newest.transaction) == snapshot.version else { continue }
      self.snapshot = snapshot
      self.metaPages = metaPages
      endOffset = (Int(newest.lastPage) + 1) * pageBytes
      return
    }
    throw LMDBError(.copy, .busy, file.path)
  }

  /// Writes the meta pages and all others; pages that are written meanwhile are free in the copy.
  func write(
    to temporary: TemporaryFile, _ check: (Int, Int) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    // The copy holds the snapshot as a whole: it needs no journal, and has none.
    var metaPages = metaPages
    let marker = JournalMarker.offset..<JournalMarker.offset + JournalMarker.byteCount
    metaPages.replaceSubrange(marker, with: repeatElement(0, count: marker.count))
    try temporary.write(metaPages)
    try temporary.write(file, from: metaPages.count, to: endOffset, check)
    withExtendedLifetime(snapshot) {}
  }
}

extension TemporaryFile {
  /// The bytes that are copied at a time.
  private static let bytesAtOnce = 1 << 20

  /// Copies all bytes of a file to a new one.
  fileprivate static func copy(
    _ file: DataFile, to destination: String, _ options: Environment.Options
  ) throws(LMDBError) {
    let temporary = try TemporaryFile(of: destination, mode: options.fileMode)
    try temporary.write(file, from: 0, to: try file.size) { _, _ in }
    try temporary.publish(replacesExisting: false, isSynchronized: false)
  }

  /// Appends the bytes of another file between two offsets, or up to its end.
  fileprivate func write(
    _ file: DataFile, from start: Int, to end: Int,
    _ check: (_ written: Int, _ all: Int) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    var offset = start
    while offset < end {
      try check(offset, end)
      let bytes = try file.read(at: offset, count: min(Self.bytesAtOnce, end - offset))
      // A file may be shorter than its count of pages.
      if bytes.isEmpty { break }
      try write(bytes)
      offset += bytes.count
    }
  }
}

extension EnvironmentRegistry {
  /// Replaces a file that no process has open by a temporary one.
  static func replace(
    _ path: String, with temporary: TemporaryFile, _ options: Environment.Options
  ) throws(LMDBError) {
    try withExclusiveAccess(of: path, options) { _ throws(LMDBError) in
      try temporary.publish(replacesExisting: true)
    }
  }

  /// Replaces a file that no process has open by a compacted copy, if a rule says so.
  static func compact(
    _ path: String, _ options: Environment.Options,
    when rule: (DataFile, CommitPages) throws(LMDBError) -> Bool
  ) throws(LMDBError) {
    try withExclusiveAccess(of: path, options) { file throws(LMDBError) in
      let source = try EnvironmentHandle.openAlone(file, options)
      defer { source.close() }
      let pages = try CommitPages(lastOf: file, source)
      guard try rule(file, pages) else { return }
      let temporary = try TemporaryFile(of: file.realPath, mode: file.mode)
      try PageCheck.check(pages)
      let code = source.copy(to: temporary.descriptor, isCompacting: true)
      guard code == 0 else { throw LMDBError(.copy, code, path) }
      try temporary.synchronize()
      try temporary.takePermissions(of: file)
      try CopyVerifier.check(temporary.path, against: pages, options)
      try temporary.publish(replacesExisting: true)
    }
  }

  /// Runs a body while no process has a file open.
  private static func withExclusiveAccess(
    of path: String, _ options: Environment.Options,
    _ body: (DataFile) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try whileNothingIsOpened { isOpen throws(LMDBError) in
      var options = options
      options.isReadOnly = true
      let file = try DataFile(openingAt: path, options)
      guard !isOpen(file) else { throw LMDBError(.copy, .busy, path) }
      if try file.journalMarker?.isOpen == true { try Journal.replay(at: path, options) }
      try FileValidator.check(file, isReadOnly: true, within: options.writerTimeout)
      guard let exclusiveLock = try ExclusiveFileLock(of: file, options) else {
        throw LMDBError(.copy, .busy, path)
      }
      defer { renewLockTable(of: file.realPath, options, holding: exclusiveLock) }
      try body(file)
    }
  }

  /// Makes the C library create a lock table for the processes that wait to open the file.
  private static func renewLockTable(
    of path: String, _ options: Environment.Options, holding exclusiveLock: ExclusiveFileLock
  ) {
    // When that fails, the waiting processes are refused, and the next opening creates the table.
    if let handle = try? EnvironmentHandle.open(path, options) { handle.close() }
    withExtendedLifetime(exclusiveLock) {}
  }
}

/// Verifies a copy of a file before it replaces another file.
///
/// Version 0.9.24 of the C library is known to make compacted copies that lack pages when the
/// original has lost some. So all pages are checked, with the rows that each tree should have, and,
/// where the original has not changed since, each row is compared with the original's.
struct CopyVerifier {
  private let path: String
  private let copy: CommitPages
  private let original: CommitPages

  /// Throws ``LMDBError/Code/corrupted`` when a copy differs from its original, or is damaged.
  ///
  /// - Parameter original: The original's pages, if it has not changed since.
  static func check(
    _ path: String, against original: CommitPages?, _ options: Environment.Options
  ) throws(LMDBError) {
    var reading = options
    reading.isReadOnly = true
    let file = try DataFile(openingAt: path, reading)
    try FileValidator.check(file, isReadOnly: true, within: options.writerTimeout)
    let handle = try EnvironmentHandle.openAlone(file, options)
    defer { handle.close() }
    let copy = try CommitPages(lastOf: file, handle)
    try PageCheck.check(copy)
    guard let original else { return }
    try CopyVerifier(path: path, copy: copy, original: original).run()
  }

  private func run() throws(LMDBError) {
    guard let names = copy.namesTree, let others = original.namesTree else {
      throw failure("its list of trees cannot be read")
    }
    // The rows of the tree of names are records of trees, whose pages differ.
    try unsafe compare(names, others) { name, record, other throws(LMDBError) in
      // Safety: the records were found by their length, and the name is read while it is borrowed.
      guard record.count == MetaPage.treeBytes, other.count == MetaPage.treeBytes,
        let start = record.baseAddress, let otherStart = other.baseAddress,
        let tree = unsafe TreeRecord(start), let otherTree = unsafe TreeRecord(otherStart)
      else { throw failure("its list of trees cannot be read") }
      try unsafe compare(copy.tree(tree), original.tree(otherTree)) {
        _, value, other throws(LMDBError) in
        guard unsafe KeyComparison.plain.order(value, other) == 0 else {
          throw failure("a row of \(unsafe String(decoding: name, as: UTF8.self)) differs")
        }
      }
    }
  }

  /// Gets the key that two trees have, and the value in each.
  private typealias RowVisit = (
    UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer
  ) throws(LMDBError) -> Void

  /// Passes the rows of two trees that must have the same keys.
  private func compare(
    _ tree: PageTree, _ other: PageTree, _ body: RowVisit
  ) throws(LMDBError) {
    var (rows, others) = (PageCursor(tree), PageCursor(other))
    while let (key, value) = unsafe try next(&rows) {
      guard let (otherKey, otherValue) = unsafe try next(&others),
        unsafe KeyComparison.plain.order(key, otherKey) == 0
      else { throw failure("a tree has other rows") }
      unsafe try body(key, value, otherValue)
    }
    guard unsafe try next(&others) == nil else { throw failure("a tree has lost rows") }
  }

  private func next(
    _ rows: inout PageCursor
  ) throws(LMDBError) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    var row = unsafe (Bytes.none, Bytes.none)
    // Safety: a tuple of a key and a value is laid out as two elements.
    let code = unsafe withUnsafeMutablePointer(to: &row) { row in
      unsafe rows.get(
        into: UnsafeMutableRawPointer(row).assumingMemoryBound(to: Bytes.self), .next)
    }
    if code == LMDBError.Code.notFound.rawValue { return nil }
    guard code == 0 else { throw LMDBError(.copy, code) }
    return unsafe (row.0.buffer, row.1.buffer)
  }

  private func failure(_ what: String) -> LMDBError {
    LMDBError(.copy, .corrupted, "\(path), a copy; \(what)")
  }
}
