#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Which file it is, whatever path leads to it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

extension FileIdentity {
  /// The identity of the file that the system tells of.
  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// A descriptor of our own for the data file: to look at it before it is mapped, and to lock it.
///
/// LMDB's own locks are on its lock file, which is never opened here: the system would drop
/// them all when one descriptor of that file is closed. The data file carries none of them.
///
/// Threads: any; the descriptor never changes.
final class DataFile: Sendable {
  let path: String
  let identity: FileIdentity
  /// The path without links, beside which the lock table lies whatever name the file was opened by.
  let realPath: String
  /// The permissions of the file.
  let mode: UInt16
  /// The number of the user that the file belongs to.
  let owner: UInt32
  /// The number of the group that the file belongs to.
  let group: UInt32
  /// Whether the file came into being with this object.
  let isCreated: Bool
  private let descriptor: Int32

  /// Opens a file, or creates it unless the options say that it is only read.
  init(openingAt path: String, _ options: Environment.Options) throws(LMDBError) {
    self.path = path
    // Closed on exec, so that no child keeps the lock when this process is gone; not blocking,
    // in case somebody names a pipe.
    let access = (options.isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK
    if FilePlace.isForeignLink(path) { throw LMDBError(.open, .foreignLink, path) }
    var descriptor = openFile(path, access)
    var isCreated = false
    if descriptor < 0, errno == ENOENT, !options.isReadOnly {
      try Self.refuseNetwork(FileSystem(ofFolderOf: path), path, options)
      descriptor = openFile(path, access | O_CREAT | O_EXCL, mode_t(options.fileMode))
      isCreated = descriptor >= 0
      // Another process was faster: its file will do.
      if descriptor < 0, errno == EEXIST { descriptor = openFile(path, access) }
    }
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOENT && FilePlace.isLink(path)
        ? LMDBError(.open, .danglingLink, path) : LMDBError(.open, code, path)
    }
    self.descriptor = descriptor
    self.isCreated = isCreated
    let status = Self.status(of: descriptor)
    identity = FileIdentity(status)
    mode = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    owner = UInt32(status.st_uid)
    group = UInt32(status.st_gid)
    realPath = Self.realPath(path)
    if status.st_mode & S_IFMT == S_IFDIR { throw LMDBError(.open, .isDirectory, path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LMDBError(.open, .notAnEnvironment, path)
    }
    try Self.refuseNetwork(FileSystem(of: descriptor), path, options)
  }

  deinit { close(descriptor) }

  /// The number of bytes of the file.
  var size: Int {
    Int(Self.status(of: descriptor).st_size)
  }

  /// Whether the file system that the file lies on can only be read.
  var isOnReadOnlyFileSystem: Bool {
    var status = statvfs()
    // Safety: the structure is a local variable.
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return false }
    return UInt(status.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// Whether the disk has less than a mebibyte left for users.
  var hasNoRoomToGrow: Bool {
    var status = statvfs()
    // Safety: the structure is a local variable.
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 1 << 20
  }

  /// Whether the file is about as large as this process may make one.
  var hasReachedLimit: Bool {
    var limit = rlimit()
    // Safety: the structure is a local variable.
    #if canImport(Glibc)
      let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let code = unsafe getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    return code == 0 && limit.rlim_cur < 1 << 62 && size + 1 << 20 > Int(limit.rlim_cur)
  }

  /// Whether a descriptor is one of this file.
  func isSame(as descriptor: Int32) -> Bool {
    FileIdentity(Self.status(of: descriptor)) == identity
  }

  /// What the system knows of an open file.
  private static func status(of descriptor: Int32) -> stat {
    var status = stat()
    // Safety: the structure is a local variable, the descriptor is open, so the call succeeds.
    _ = unsafe fstat(descriptor, &status)
    return status
  }

  /// A path without links; the path itself when the system does not tell.
  private static func realPath(_ path: String) -> String {
    // Safety: the system copies the path, and what it returns is copied before it is freed.
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Reads bytes at an offset: fewer than asked for at the end of the file.
  func read(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
    var done = 0
    var code: Int32 = 0
    // Safety: as many bytes count as initialised as the system has written.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      while done < count {
        // Safety: the rest of the buffer takes the rest of the bytes.
        let read = unsafe pread(
          descriptor, UnsafeMutableRawPointer(buffer.baseAddress.map { unsafe $0 + done }),
          count - done, off_t(offset + done))
        if read < 0, errno == EINTR { continue }
        if read < 0 { code = errno }
        if read <= 0 { break }
        done += read
      }
      initializedCount = done
    }
    guard code == 0 else { throw LMDBError(.open, code, path) }
    return bytes
  }

  /// Whether address space for so many bytes of the file can be had now.
  func canMap(_ count: Int) -> Bool {
    // Safety: nothing is read through the mapping, which goes at once.
    guard let start = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0),
      unsafe start != MAP_FAILED
    else { return false }
    _ = unsafe munmap(start, count)
    return true
  }

  /// Removes a file that this object created, unless somebody has written to it.
  func removeIfStillEmpty() {
    // Safety: the system copies the path. A file that cannot be removed is empty, and as good
    // as none.
    if isCreated, size == 0 { _ = unsafe unlink(path) }
  }

  /// Takes the lock that tells writers of different processes apart; false when the deadline
  /// comes first.
  ///
  /// - Parameter isShared: Whether it is to keep writers out only, and no others of the kind.
  func lock(
    isShared: Bool = false, before deadline: @autoclosure () -> Deadline
  ) throws(LMDBError) -> Bool {
    var pauseNanoseconds: UInt64 = 50_000
    var started: Deadline?
    while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw LMDBError(.beginWrite, errno, path) }
      let end = started ?? deadline()
      started = end
      guard end.sleep(atMostNanoseconds: pauseNanoseconds) else { return false }
      pauseNanoseconds = min(pauseNanoseconds * 2, 5_000_000)
    }
    return true
  }

  /// The process that has that lock; nil where the system does not list its locks, or not this one.
  var lockHolder: Int? {
    #if os(Linux)
      // A line is "1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF": the process, then device and
      // number of the file. Those who wait have an arrow before the kind.
      let device = UInt64(identity.device)
      let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
      let minor = device & 0xFF | device >> 12 & ~0xFF
      for line in ProcessIdentity.systemText("/proc/locks").split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK" else { continue }
        let file = words[5].split(separator: ":")
        guard file.count == 3, UInt64(file[0], radix: 16) == major,
          UInt64(file[1], radix: 16) == minor, UInt64(file[2]) == identity.inode
        else { continue }
        return Int(words[4])
      }
    #endif
    return nil
  }

  /// Lets go of that lock.
  func unlock() {
    flock(descriptor, LOCK_UN)
  }

  private static func refuseNetwork(
    _ fileSystem: FileSystem?, _ path: String, _ options: Environment.Options
  ) throws(LMDBError) {
    guard let fileSystem, fileSystem.isRemote, !options.allowsNetworkFileSystem else { return }
    throw LMDBError(.open, .networkFileSystem, path)
  }
}

/// The corresponding C function is `open`, which a method of ours would hide where it is called.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  // Safety: the system copies the path.
  unsafe open(path, flags, mode)
}
