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
  ///   - replacesExisting: Whether a file of that name is replaced, which nobody may have open.
  /// - Throws: ``LMDBError/Code/fileExists``, ``LMDBError/Code/busy`` when a writer was at work for
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
    let draft = try DraftFile(of: path, mode: options.fileMode)
    try core.awaitWriter()
    try core.copy(to: draft, isCompacting: isCompacting, holding: self)
    if isCompacting { try Comparison.check(draft.path, against: nil, options) }
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
    try EnvironmentRegistry.compact(path, options)
  }
}

extension EnvironmentCore {
  /// Waits for the writer at work, which the C library would do without end.
  fileprivate func awaitWriter() throws(LMDBError) {
    // Without a lock table the copy's own lock keeps writers out.
    guard readingLock == nil else { return }
    try writer.take(within: options.writerTimeout)
    writer.giveBack()
  }

  /// Writes a copy of the last commit, behind a snapshot that keeps the map where it is.
  fileprivate func copy(
    to draft: DraftFile, isCompacting: Bool, holding environment: Environment
  ) throws(LMDBError) {
    var code: Int32 = 0
    // Another process may grow the file past the map between the snapshot and the copy.
    for _ in 0..<3 {
      let snapshot = try Snapshot(of: environment, named: "copy", for: .copy)
      if isCompacting {
        let (_, problems) = try snapshot.beginRead(for: .copy).checkPages(keeping: 1)
        if let first = problems.first { throw LMDBError(.copy, .corrupted, "\(path); \(first)") }
      }
      code = handle.copy(to: draft.descriptor, isCompacting: isCompacting)
      withExtendedLifetime(snapshot) {}
      guard code == LMDBError.Code.mapResized.rawValue else { break }
    }
    guard code == 0 else { throw LMDBError(.copy, code, path) }
    try draft.synchronize()
  }
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
    _ path: String, _ options: Environment.Options
  ) throws(LMDBError) {
    try withSoleUse(of: path, options) { file throws(LMDBError) in
      let draft = try DraftFile(of: file.realPath, mode: file.mode)
      let source = try EnvironmentHandle.openAlone(file.realPath, bytes: try file.size, options)
      defer { source.close() }
      try PageCheck.check(file, source)
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
      try Preflight.check(file, isReadOnly: true)
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
