extension Environment {
  /// Copies the last commit to another file, while readers and writers go on.
  ///
  /// The copy gets its name when it is complete and on the disk. While it is made, pages of its
  /// version are not used again and the map stays where it is, as with a snapshot. The corresponding
  /// C function is `mdb_env_copyfd2`.
  ///
  /// Threads: any that has no write transaction of this environment open.
  /// - Parameters:
  ///   - path: The new file; its folder must exist.
  ///   - isCompacting: Whether free pages are left out and the others put in order, which reads
  ///     the trees instead of the file; such a copy is read through before it gets its name.
  ///   - replacesExisting: Whether a file of that name is replaced, which nobody may have open; the
  ///     copy is read through as well then.
  /// - Throws: ``LMDBError/Code/fileExists``, ``LMDBError/Code/isLink`` where a link is to be replaced,
  ///   ``LMDBError/Code/busy`` when a writer was at work for
  ///   longer than ``Options/writerTimeout`` or the file to be replaced is open,
  ///   ``LMDBError/Code/writeInsideWrite``, ``LMDBError/Code/outOfSpace`` or another code of the
  ///   system; then there is no copy, and the file of that name is as it was, unless the error's
  ///   detail says that it is replaced and only the folder may not be on the disk.
  /// - Complexity: O(bytes of the file).
  public func copy(
    to path: String, isCompacting: Bool = false, replacesExisting: Bool = false
  ) throws(LMDBError) {
    try core.checkUsable(for: .copy)
    let isThere = DraftFile.exists(path)
    guard replacesExisting || !isThere else { throw LMDBError(.copy, .fileExists, path) }
    // What is held for this process alone would be the file that it leads to.
    if isThere, FilePlace.isLink(path) { throw LMDBError(.copy, .isLink, path) }
    let draft = try DraftFile(of: path, mode: options.fileMode)
    let source = try core.betweenWriters { () throws(LMDBError) in
      try isCompacting ? nil : CopySource(self)
    }
    if let source {
      try source.write(to: draft)
    } else {
      try core.compact(to: draft, holding: self)
    }
    try draft.synchronize()
    // What takes the place of a copy that may be better than the file is looked at as well.
    if isCompacting || isThere { try Comparison.check(draft.path, against: nil, options) }
    guard isThere else { return try draft.publish(replacesExisting: false) }
    try EnvironmentRegistry.replace(path, with: draft, options)
  }

  /// Puts a compacted copy in a file's place, which nobody must have open.
  ///
  /// The copy is compared with the file, row by row, before it takes its place. Whoever opens the
  /// file meanwhile waits, and so does whoever opens or closes any file in this process.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: How the file is opened at other times.
  /// - Throws: ``LMDBError/Code/busy`` when this process or another one has the file open, and
  ///   what opening and copying throw; the file is as it was then.
  /// - Complexity: O(bytes of the file).
  public static func compact(at path: String, options: Options = Options()) throws(LMDBError) {
    try EnvironmentRegistry.compact(path, options) { _ in true }
  }

  /// Puts a compacted copy in a file's place, if a rule of its size and free pages wants it.
  ///
  /// The rule is asked while nobody has the file open, so that it decides about what is compacted.
  package static func compact(
    at path: String, options: Options, when rule: (Fullness) -> Bool
  ) throws(LMDBError) {
    try EnvironmentRegistry.compact(path, options, when: rule)
  }

  /// The bytes of a file, and how many of them are free.
  package struct Fullness: Sendable {
    /// The size of the file.
    package let fileBytes: Int
    /// How much of it later commits may use.
    package let freeBytes: Int

    /// How full a file is to which nobody writes.
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

extension EnvironmentCore {
  /// Runs a body while no writer is at work, and waits for one no longer than the options allow.
  fileprivate func betweenWriters<R>(
    _ body: () throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    // Without a lock table readers hold a lock on the file itself, which keeps writers out.
    guard readingLock == nil else { return try body() }
    try writer.take(within: options.writerTimeout)
    defer { writer.giveBack() }
    return try body()
  }

  /// Writes a compacted copy of the last commit, behind a snapshot that keeps the map where it is.
  fileprivate func compact(
    to draft: DraftFile, holding environment: Environment
  ) throws(LMDBError) {
    var code: Int32 = 0
    // Another process may grow the file past the map between the snapshot and the copy.
    for _ in 0..<Bounds.copyAttempts {
      let snapshot = try Snapshot(of: environment, named: "copy", for: .copy)
      let (_, problems) = try snapshot.beginRead(for: .copy).checkPages(keeping: 1)
      if let first = problems.first { throw LMDBError(.copy, .corrupted, "\(path); \(first)") }
      code = handle.copy(to: draft.descriptor, isCompacting: true)
      withExtendedLifetime(snapshot) {}
      guard code == LMDBError.Code.mapResized.rawValue else { break }
    }
    guard code == 0 else { throw LMDBError(.copy, code, path) }
  }
}

/// What a copy is made from: the pages of a snapshot, and the two front pages that lead to them.
///
/// The C library has a call that copies a file as it is. It waits for the writer at work without
/// end, though, and so does everybody else meanwhile.
private struct CopySource {
  private let snapshot: Snapshot
  private let file: DataFile
  private let front: [UInt8]
  private let endOffset: Int

  /// Reads the front of a file while no writer is at work.
  init(_ environment: Environment) throws(LMDBError) {
    let core = environment.core
    file = core.file
    let pageBytes = core.handle.pageBytes
    // A program that does not know this module's lock may commit between the two.
    for _ in 0..<EnvironmentCore.Bounds.copyAttempts {
      let snapshot = try Snapshot(of: environment, named: "copy", for: .copy)
      let front = try file.read(at: 0, count: 2 * pageBytes)
      let first = try MetaPage(front, of: core.path)
      let second = try MetaPage(Array(front.dropFirst(pageBytes)), of: core.path)
      let newest = second.transaction > first.transaction ? second : first
      guard Int(newest.transaction) == snapshot.version else { continue }
      self.snapshot = snapshot
      self.front = front
      endOffset = (Int(newest.lastPage) + 1) * pageBytes
      return
    }
    throw LMDBError(.copy, .busy, file.path)
  }

  /// Writes the front and all pages behind it; those that others write meanwhile are free in it.
  func write(to draft: DraftFile) throws(LMDBError) {
    try draft.write(front)
    var offset = front.count
    while offset < endOffset {
      let bytes = try file.read(at: offset, count: min(Self.bytesAtOnce, endOffset - offset))
      // A file may be shorter than its count of pages.
      if bytes.isEmpty { break }
      try draft.write(bytes)
      offset += bytes.count
    }
    withExtendedLifetime(snapshot) {}
  }

  /// How much is copied at a time.
  private static let bytesAtOnce = 1 << 20
}

extension EnvironmentRegistry {
  /// Puts a draft in the place of a file that nobody has open.
  static func replace(
    _ path: String, with draft: DraftFile, _ options: Environment.Options
  ) throws(LMDBError) {
    try withSoleUse(of: path, options) { _ throws(LMDBError) in
      try draft.publish(replacesExisting: true)
    }
  }

  /// Puts a compacted copy in the place of a file that nobody has open.
  static func compact(
    _ path: String, _ options: Environment.Options, when rule: (Environment.Fullness) -> Bool
  ) throws(LMDBError) {
    try withSoleUse(of: path, options) { file throws(LMDBError) in
      let source = try EnvironmentHandle.openAlone(file.realPath, bytes: try file.size, options)
      defer { source.close() }
      let pages = try CommitPages(lastOf: file, source)
      guard rule(try Environment.Fullness(pages, of: file)) else { return }
      let draft = try DraftFile(of: file.realPath, mode: file.mode)
      try PageCheck.check(pages, of: file)
      let code = source.copy(to: draft.descriptor, isCompacting: true)
      guard code == 0 else { throw LMDBError(.copy, code, path) }
      try draft.synchronize()
      try draft.takePermissions(of: file)
      try Comparison.check(draft.path, against: source, options)
      try draft.publish(replacesExisting: true)
    }
  }

  /// Runs a body while neither this process nor another one has a file open.
  private static func withSoleUse(
    of path: String, _ options: Environment.Options,
    _ body: (DataFile) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try whileNothingIsOpened { isOpen throws(LMDBError) in
      var options = options
      options.isReadOnly = true
      let file = try DataFile(openingAt: path, options)
      guard !isOpen(file) else { throw LMDBError(.copy, .busy, path) }
      try Preflight.check(file, isReadOnly: true, within: options.writerTimeout)
      guard
        let soleUse = try SoleUse(
          of: file.realPath, mode: file.mode, maxReaders: options.maxReaders)
      else {
        throw LMDBError(.copy, .busy, path)
      }
      defer { renewLockTable(of: file.realPath, options, holding: soleUse) }
      try body(file)
    }
  }

  /// Has the C library make a lock table for those who wait to open the file.
  private static func renewLockTable(
    of path: String, _ options: Environment.Options, holding soleUse: SoleUse
  ) {
    // Where that fails, those who wait are refused, and the next to open the file makes the table.
    if let handle = try? EnvironmentHandle.open(path, options) { handle.close() }
    withExtendedLifetime(soleUse) {}
  }
}
