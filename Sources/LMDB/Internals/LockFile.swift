#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The file of the lock table, seen to before the C library opens it.
///
/// The C library follows a link that somebody put in its place and overwrites what it leads to; it
/// maps a table that may have no room on the disk, whose first use then ends the process with SIGBUS;
/// and it waits without end for a process that has the table for itself. So all three are looked at
/// here first.
///
/// This opens and closes the file, with which the system drops the locks that this process has on it:
/// no environment that uses it may be open in this process.
enum LockFile {
  /// How long an opening waits at least: who does not wait for writers waits for another's opening.
  private static let leastTimeout = Duration.seconds(2)

  /// The path of the lock table that belongs to a data file.
  static func path(of dataFile: DataFile) -> String { dataFile.realPath + "-lock" }

  /// Which file lies at the place of a lock table; nil when there is none.
  static func identity(of dataFile: DataFile) -> FileIdentity? {
    let (status, code) = FileCalls.status(ofPath: path(of: dataFile), followsLink: false)
    return code == 0 ? FileIdentity(status) : nil
  }

  /// Makes a lock table's file ready to be opened, and creates it when there is none.
  ///
  /// - Returns: Where it lies.
  /// - Throws: ``LMDBError/Code/notALockTable`` where something else lies in its place,
  ///   ``LMDBError/Code/busy`` where another process keeps it for itself for longer than two seconds
  ///   and ``Environment/Options/writerTimeout``, ``LMDBError/Code/outOfSpace`` or another code of the
  ///   system.
  static func prepare(
    for dataFile: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> FilePlace {
    let path = path(of: dataFile)
    let (descriptor, status) = try openChecked(path, mode: options.fileMode)
    defer { FileCalls.close(descriptor) }
    try awaitSharing(descriptor, path, max(options.writerTimeout, leastTimeout))
    let bytes = max(Int(status.st_size), byteCount(maxReaders: options.maxReaders))
    try allocate(descriptor, bytes, path)
    return FilePlace(path: path, identity: FileIdentity(status))
  }

  /// Opens a lock table's file, or creates it, and refuses what is none.
  static func openChecked(
    _ path: String, mode: UInt16
  ) throws(LMDBError) -> (descriptor: Int32, status: stat) {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let (descriptor, code) = FileCalls.open(path, flags, mode: mode)
    guard code == 0 else {
      switch code {
      case ELOOP: throw LMDBError(.open, .notALockTable, "\(path) is a link")
      case EISDIR: throw LMDBError(.open, .notALockTable, "\(path) is a folder")
      default: throw LMDBError(.open, code, path)
      }
    }
    do throws(LMDBError) {
      let (status, code) = FileCalls.status(of: descriptor)
      guard code == 0 else { throw LMDBError(.open, code, path) }
      try check(status, path)
      return (descriptor, status)
    } catch {
      FileCalls.close(descriptor)
      throw error
    }
  }

  /// Throws when a file may be somebody else's, because the C library would overwrite it.
  ///
  /// What it holds says nothing: nobody waits for a table to be on the disk, so that a power cut may
  /// leave anything in it.
  private static func check(_ status: stat, _ path: String) throws(LMDBError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LMDBError(.open, .notALockTable, "\(path) is no plain file")
    }
    guard status.st_nlink <= 1 else {
      throw LMDBError(.open, .notALockTable, "\(path) has another name as well")
    }
  }

  /// Waits until no process has the table for itself, which the C library would do without end.
  ///
  /// Opening takes a moment and compacting longer, unless the process was stopped meanwhile.
  private static func awaitSharing(
    _ descriptor: Int32, _ path: String, _ timeout: Duration
  ) throws(LMDBError) {
    var deadline: Deadline?
    while let holder = FileCalls.ownerOfFirstByte(descriptor) {
      let end = deadline ?? Deadline(after: timeout)
      deadline = end
      guard end.sleep(atMostNanoseconds: 5_000_000) else {
        throw LMDBError(
          .open, .busy, "\(ProcessIdentity.described(holder)) is opening or compacting \(path)")
      }
    }
  }

  /// The size of a new table: two cache lines of its own, and one for each reader.
  static func byteCount(maxReaders: Int) -> Int { (maxReaders + 2) * 64 }

  /// Sees to it that a table has its room on the disk.
  ///
  /// The file does not become longer by that: how long it is tells processes that have it open how
  /// many places it has.
  static func allocate(
    _ descriptor: Int32, _ bytes: Int, _ path: String
  ) throws(LMDBError) {
    let code = FileCalls.allocate(descriptor, bytes)
    guard code == 0 else { throw LMDBError(.open, code, path) }
  }
}
