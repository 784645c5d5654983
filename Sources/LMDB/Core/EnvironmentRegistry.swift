/// The environments that are open in this process, one for each file.
///
/// The C library must not open a file twice in one process: closing one of the two would drop
/// the file locks of the other. So a second opening shares the first one's core, and the last
/// release closes it.
///
/// Threads: any; files are opened and closed one after the other, under the lock of `entries`.
enum EnvironmentRegistry {
  private struct Entry {
    let core: EnvironmentCore
    var holders: Int
  }

  /// How often a file is opened again because it was replaced meanwhile.
  static let attempts = 9

  private static let entries = ConditionMutex<[FileIdentity: Entry]>([:])

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
      try share(file, options, &entries)
    }
    if let shared { return shared }
    // Validation may take long. Other files can be opened and closed meanwhile.
    try FileValidator.check(file, isReadOnly: options.isReadOnly, within: options.writerTimeout)
    // A file that this call has created is not removed when opening fails: another process may have
    // replaced it or written to it by then.
    return try entries.withLock { entries throws(LMDBError) in
      if let shared = try share(file, options, &entries) { return shared }
      // Closing either of two files with the same lock table would drop the locks of the other.
      guard !entries.values.contains(where: { $0.core.sharesLockTable(with: file) }) else {
        throw .fileReplaced(.open, path, "this process still has the file before it open")
      }
      let core = try EnvironmentCore(opening: file, options)
      entries[core.identity] = Entry(core: core, holders: 1)
      return core
    }
  }

  /// The core of a file that is open already.
  private static func share(
    _ file: DataFile, _ options: Environment.Options, _ entries: inout [FileIdentity: Entry]
  ) throws(LMDBError) -> EnvironmentCore? {
    // An entry from before a fork is the parent's: it is not used, and the file is opened again.
    guard var entry = entries[file.identity], entry.core.isOfThisProcess else { return nil }
    try entry.core.checkUsable(for: .open)
    try entry.core.checkNotReplaced(for: .open)
    guard entry.core.options.allows(sharingBy: options) else {
      throw LMDBError(.open, .optionsDiffer, file.path)
    }
    guard entry.core.databases.capacity >= options.maxDatabases else {
      throw LMDBError(.open, .databasesFull, entry.core.databases.fullDetail(file.path))
    }
    entry.holders += 1
    entries[file.identity] = entry
    return entry.core
  }

  /// Runs a body while this process opens and closes no file.
  ///
  /// - Parameter body: Gets a function that tells whether a file is open.
  static func whileNothingIsOpened(
    _ body: ((DataFile) -> Bool) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try entries.withLock { entries throws(LMDBError) in
      let entries = entries
      try body { file in
        entries[file.identity]?.core.isOfThisProcess == true
          || entries.values.contains { $0.core.sharesLockTable(with: file) }
      }
    }
  }

  /// Releases a core, and closes its file when nothing else holds it.
  static func release(_ core: EnvironmentCore) {
    entries.withLock { entries in
      guard var entry = entries[core.identity], entry.core === core else { return }
      entry.holders -= 1
      entries[core.identity] = entry.holders > 0 ? entry : nil
      if entry.holders == 0 { core.close() }
    }
  }
}
