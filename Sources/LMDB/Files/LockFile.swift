internal import CroftLibc

/// The file of the lock table, prepared before the C library opens it.
///
/// The C library follows a link in its place and overwrites the file that it leads to; it maps a table
/// without allocated blocks, whose first use ends the process with SIGBUS when the disk is full; and
/// it waits without a timeout for a process that holds the table exclusively. So all three are
/// checked first.
///
/// Closing the file drops the locks that this process has on it, so that this process must not have
/// an environment open that uses it.
enum LockFile {
  /// The shortest timeout for another process's opening, also where writers are not waited for.
  private static let leastTimeout = Duration.seconds(2)

  /// The path of the lock table that belongs to a data file.
  static func path(of dataFile: DataFile) -> String { dataFile.realPath + "-lock" }

  /// The identity of the file in a lock table's place; nil when there is none.
  static func identity(of dataFile: DataFile) -> FileIdentity? {
    let (status, code) = FileCalls.status(ofPath: path(of: dataFile), followsLink: false)
    return code == 0 ? FileIdentity(status) : nil
  }

  /// Prepares a lock table's file to be opened, and creates it when there is none.
  ///
  /// - Returns: Its directory entry.
  /// - Throws: ``LMDBError/Code/notALockTable`` where something else is in its place,
  ///   ``LMDBError/Code/busy`` where another process holds it exclusively for longer than two seconds
  ///   and ``Environment/Options/writerTimeout``, ``LMDBError/Code/outOfSpace`` or another code of the
  ///   system.
  static func prepare(
    for dataFile: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> DirectoryEntry {
    let path = path(of: dataFile)
    let (descriptor, status) = try openChecked(path, mode: options.fileMode)
    defer { FileCalls.close(descriptor) }
    try awaitSharing(descriptor, path, max(options.writerTimeout, leastTimeout))
    let bytes = max(Int(status.st_size), byteCount(maxReaders: options.maxReaders))
    try allocate(descriptor, bytes, path)
    return DirectoryEntry(path: path, identity: FileIdentity(status))
  }

  /// Opens a lock table's file, or creates it; throws when it cannot be one.
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

  /// Throws when a file may be another program's, because the C library would overwrite it.
  ///
  /// Its contents are not checked: a table is never synchronized, so that a power cut may leave
  /// anything in it.
  private static func check(_ status: stat, _ path: String) throws(LMDBError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LMDBError(.open, .notALockTable, "\(path) is no plain file")
    }
    guard status.st_nlink <= 1 else {
      throw LMDBError(.open, .notALockTable, "\(path) has another name as well")
    }
  }

  /// Waits until no process holds the table exclusively, with a timeout unlike the C library.
  ///
  /// A process holds it for a moment to open, longer to compact, and without end when it is stopped.
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

  /// Allocates a table's blocks on the disk.
  ///
  /// The file's length does not change: processes that have it open compute the number of reader slots
  /// from it.
  static func allocate(
    _ descriptor: Int32, _ bytes: Int, _ path: String
  ) throws(LMDBError) {
    let code = FileCalls.allocate(descriptor, bytes)
    guard code == 0 else { throw LMDBError(.open, code, path) }
  }
}

/// An exclusive lock that keeps other processes from opening a file, while this object exists.
///
/// Each process that has a file open through the C library holds a shared lock on the first byte of
/// its lock table. The exclusive lock is granted when there is none, and makes other openings wait.
/// They will use the table as they find it, so it is emptied first: should this process die after the
/// file was replaced, they are refused instead of reading outdated numbers. The next opening creates
/// the table again.
///
/// Threads: one. This process must not have the file open, because the system drops the locks that a
/// process has on a file with the first descriptor of it that is closed.
final class ExclusiveFileLock {
  private let descriptor: Int32

  /// Locks a file exclusively; nil when another process has it open.
  init?(of file: DataFile, _ options: Environment.Options) throws(LMDBError) {
    let path = file.realPath
    descriptor = try LockFile.openChecked(LockFile.path(of: file), mode: file.mode).descriptor
    switch FileCalls.lockFirstByte(descriptor) {
    case 0: break
    case EACCES, EAGAIN: return nil
    case let code: throw LMDBError(.open, code, path)
    }
    let resized = FileCalls.resize(descriptor, to: 0)
    guard resized == 0 else { throw LMDBError(.open, resized, path) }
    // The table will be created again, for which there must be room.
    try LockFile.allocate(descriptor, LockFile.byteCount(maxReaders: options.maxReaders), path)
  }

  deinit { FileCalls.close(descriptor) }
}

/// A shared lock that keeps writers out while this process reads a file without a reader slot.
///
/// A reader slot tells writers which old pages must be kept. A process that cannot write to the lock
/// table, because it is in a folder or on a file system that can only be read, takes the writers' lock
/// on the data file instead, shared with other such processes, while it reads.
///
/// Threads: any.
final class SharedFileLock: Sendable {
  private let file: DataFile
  private let readers = ConditionMutex(0)

  init(_ file: DataFile) { self.file = file }

  /// Begins a read: the first one waits for a running writer.
  func enter(within timeout: Duration) throws(LMDBError) {
    try readers.withLock { count throws(LMDBError) in
      if count == 0 {
        guard try file.lock(isShared: true, before: Deadline(after: timeout)) else {
          let holder = ProcessIdentity.described(file.lockHolder)
          throw LMDBError(.beginRead, .busy, "\(holder) is writing to \(file.path)")
        }
      }
      count += 1
    }
  }

  /// Ends a read.
  func leave() {
    readers.withLock { count in
      count -= 1
      if count == 0 { file.unlock() }
    }
  }
}
