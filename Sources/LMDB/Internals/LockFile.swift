internal import CLMDB

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
  /// The path of the lock table that belongs to a data file.
  static func path(of dataFile: DataFile) -> String { dataFile.realPath + "-lock" }

  /// Which file lies at the place of a lock table; nil when there is none.
  static func identity(of dataFile: DataFile) -> FileIdentity? {
    var status = stat()
    // Safety: the structure is a local variable, and the system copies the path.
    guard unsafe lstat(path(of: dataFile), &status) == 0 else { return nil }
    return FileIdentity(status)
  }

  /// Makes a lock table's file ready to be opened, and creates it when there is none.
  ///
  /// - Returns: Where it lies.
  /// - Throws: ``LMDBError/Code/notALockTable`` where something else lies in its place,
  ///   ``LMDBError/Code/busy`` where another process keeps it for itself for longer than
  ///   ``Environment/Options/writerTimeout``, ``LMDBError/Code/outOfSpace`` or another code of the
  ///   system.
  static func prepare(
    for dataFile: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> FilePlace {
    let path = path(of: dataFile)
    let (descriptor, status) = try openChecked(path, mode: options.fileMode)
    defer { close(descriptor) }
    try awaitSharing(descriptor, path, options.writerTimeout)
    let bytes = max(Int(status.st_size), byteCount(maxReaders: options.maxReaders))
    try allocate(descriptor, bytes, path)
    return FilePlace(path: path, identity: FileIdentity(status))
  }

  /// Opens a lock table's file, or creates it, and refuses what is none.
  static func openChecked(
    _ path: String, mode: UInt16
  ) throws(LMDBError) -> (descriptor: Int32, status: stat) {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = openFile(path, flags, mode_t(mode))
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? LMDBError(.open, .notALockTable, "\(path) is a link") : LMDBError(.open, errno, path)
    }
    do throws(LMDBError) {
      var status = stat()
      // Safety: the structure is a local variable.
      guard unsafe fstat(descriptor, &status) == 0 else { throw LMDBError(.open, errno, path) }
      try check(descriptor, status, path)
      return (descriptor, status)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Throws when a file is nobody's lock table, because the C library would overwrite it.
  private static func check(
    _ descriptor: Int32, _ status: stat, _ path: String
  ) throws(LMDBError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LMDBError(.open, .notALockTable, "\(path) is no plain file")
    }
    guard status.st_nlink <= 1 else {
      throw LMDBError(.open, .notALockTable, "\(path) has another name as well")
    }
    var magic: UInt32 = 0
    // Safety: the number is a local variable, and takes as many bytes as it has.
    guard unsafe pread(descriptor, &magic, 4, 0) >= 0 else { throw LMDBError(.open, errno, path) }
    // A new table is empty or zero; a machine of the other byte order writes the number its way.
    guard [0, MetaPage.magic, MetaPage.magic.byteSwapped].contains(magic) else {
      throw LMDBError(.open, .notALockTable, "\(path) holds something else")
    }
  }

  /// Waits until no process has the table for itself, which the C library would do without end.
  ///
  /// Opening takes a moment and compacting longer, unless the process was stopped meanwhile.
  private static func awaitSharing(
    _ descriptor: Int32, _ path: String, _ timeout: Duration
  ) throws(LMDBError) {
    var deadline: Deadline?
    while let holder = soleUser(descriptor) {
      let end = deadline ?? Deadline(after: timeout)
      deadline = end
      guard end.sleep(atMostNanoseconds: 5_000_000) else {
        throw LMDBError(
          .open, .busy, "\(ProcessIdentity.described(holder)) is opening or compacting \(path)")
      }
    }
  }

  /// The process that has the table for itself; nil when there is none, or the system does not say.
  private static func soleUser(_ descriptor: Int32) -> Int? {
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0
    lock.l_len = 1
    // Safety: the structure is a local variable.
    guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type == Int16(F_WRLCK) else {
      return nil
    }
    return Int(lock.l_pid)
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
    #if os(Linux)
      let keepingSize: Int32 = 1
      while fallocate(descriptor, keepingSize, 0, off_t(bytes)) != 0 {
        if errno == EINTR { continue }
        // Some file systems cannot set room aside; there nothing can be done ahead.
        if [EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) { return }
        throw LMDBError(.open, errno, path)
      }
    #endif
  }
}

/// The corresponding C function is `open`, which a function of ours would hide where it is called.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  // Safety: the system copies the path.
  unsafe open(path, flags, mode)
}
