/// The environments that are open in this process, one for each file.
///
/// The C library must not open a file twice in one process: closing one of the two would drop
/// the file locks of the other. So the second opening shares the first one's core, and the last
/// to let go closes it.
///
/// Threads: any; opening and closing go one after the other, under `entries`.
enum EnvironmentRegistry {
  private struct Entry {
    let core: EnvironmentCore
    var holders: Int
  }

  /// How often a file is opened again because another one took its place meanwhile.
  static let attempts = 9

  private static let entries = Monitor<[FileIdentity: Entry]>([:])

  /// The core of a file, opened or shared; each call is answered by one of `release`.
  static func open(
    _ path: String, _ options: Environment.Options
  ) throws(LMDBError) -> EnvironmentCore {
    // A file that another process is just compacting is waited for, and is another one then.
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
    // It may take a while, in which others open and close their files.
    try Preflight.check(file, isReadOnly: options.isReadOnly, within: options.writerTimeout)
    // A file that this call has made stays when the opening fails: by then the path may lead to another
    // one, which somebody has put in its place or filled.
    return try entries.withLock { entries throws(LMDBError) in
      if let shared = try share(file, options, &entries) { return shared }
      // Closing either of two files with one lock table would drop the locks of the other.
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
    // An entry from before a fork is the parent's: it is left alone, and the file opened anew.
    guard var entry = entries[file.identity], entry.core.isOfThisProcess else { return nil }
    try entry.core.checkUsable(for: .open)
    try entry.core.checkPlaces(for: .open)
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

  /// Runs a body while this process opens and closes no file; it may ask which are open.
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

  /// Lets go of a core, and closes its file when nobody else holds it.
  static func release(_ core: EnvironmentCore) {
    entries.withLock { entries in
      guard var entry = entries[core.identity], entry.core === core else { return }
      entry.holders -= 1
      entries[core.identity] = entry.holders > 0 ? entry : nil
      if entry.holders == 0 { core.close() }
    }
  }
}
