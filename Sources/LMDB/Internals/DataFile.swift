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
  private let descriptor: Int32

  /// Opens a file, or creates it unless the options say that it is only read.
  init(openingAt path: String, _ options: Environment.Options) throws(LMDBError) {
    self.path = path
    // Closed on exec, so that no child keeps the lock when this process is gone; not blocking,
    // in case somebody names a pipe.
    let access = (options.isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK
    if FilePlace.isForeignLink(path) { throw LMDBError(.open, .foreignLink, path) }
    var (descriptor, code) = FileCalls.open(path, access)
    if code == ENOENT, FilePlace.isLink(path) { throw LMDBError(.open, .danglingLink, path) }
    if code == ENOENT, !options.isReadOnly {
      try Self.refuseNetwork(FileSystem(ofFolderOf: path), path, options)
      try Self.create(path, options)
      (descriptor, code) = FileCalls.open(path, access)
    }
    guard code == 0 else { throw LMDBError(.open, code, path) }
    self.descriptor = descriptor
    let (status, statusCode) = FileCalls.status(of: descriptor)
    identity = FileIdentity(status)
    mode = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    owner = UInt32(status.st_uid)
    group = UInt32(status.st_gid)
    realPath = FileCalls.realPath(path) ?? path
    guard statusCode == 0 else { throw LMDBError(.open, statusCode, path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw LMDBError(.open, .isDirectory, path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LMDBError(.open, .notAnEnvironment, path)
    }
    try Self.refuseNetwork(FileSystem(of: descriptor), path, options)
  }

  deinit { FileCalls.close(descriptor) }

  /// Makes a file without rows, unless another process is faster, whose file will do.
  ///
  /// The file gets its name when it is complete. Were it made in its place, a power cut could leave a
  /// part of it, which nobody could tell from a damaged store.
  private static func create(
    _ path: String, _ options: Environment.Options
  ) throws(LMDBError) {
    do throws(LMDBError) {
      let draft = try DraftFile(of: path, mode: options.fileMode)
      try EnvironmentHandle.open(draft.path, options, isWithoutLockTable: true).close()
      let waits = options.durability != .unsafe
      if waits { try draft.synchronize() }
      try draft.publish(replacesExisting: false, isSynchronized: waits)
    } catch {
      guard error.code != .fileExists else { return }
      throw LMDBError(.open, error.code, path)
    }
  }

  /// The number of bytes of the file.
  var size: Int {
    get throws(LMDBError) {
      let (status, code) = FileCalls.status(of: descriptor)
      guard code == 0 else { throw LMDBError(.open, code, path) }
      return Int(status.st_size)
    }
  }

  /// Whether the file system that the file lies on can only be read.
  var isOnReadOnlyFileSystem: Bool {
    let (status, code) = FileCalls.fileSystemStatus(of: descriptor)
    guard code == 0 else { return false }
    return UInt(status.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// Whether the disk has less than a mebibyte left for users.
  var hasNoRoomToGrow: Bool {
    let (status, code) = FileCalls.fileSystemStatus(of: descriptor)
    guard code == 0 else { return false }
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
    // Without its size the error stays what it was: a failed write.
    guard code == 0, limit.rlim_cur < 1 << 62, let size = try? size else { return false }
    return size + 1 << 20 > Int(limit.rlim_cur)
  }

  /// Whether a descriptor is one of this file.
  func isSame(as descriptor: Int32) -> Bool {
    let (status, code) = FileCalls.status(of: descriptor)
    return code == 0 && FileIdentity(status) == identity
  }

  /// Reads bytes at an offset: fewer than asked for at the end of the file.
  func read(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
    var code: Int32 = 0
    // Safety: as many bytes count as initialised as the system has written; the array may have room
    // for more than were asked for.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let room = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
      (initializedCount, code) = unsafe FileCalls.read(descriptor, into: room, at: offset)
    }
    guard code == 0 else { throw LMDBError(.open, code, path) }
    return bytes
  }

  /// Whether address space for so many bytes of the file can be had now.
  func canMap(_ count: Int) -> Bool {
    guard let start = unsafe map(count) else { return false }
    unsafe unmap(start, count)
    return true
  }

  /// Maps bytes of the file for reading; nil when the system refuses.
  func map(_ count: Int) -> UnsafeRawPointer? { unsafe FileCalls.map(descriptor, count) }

  /// Gives a mapping back.
  func unmap(_ start: UnsafeRawPointer, _ count: Int) { unsafe FileCalls.unmap(start, count) }

  /// Takes the lock that tells writers of different processes apart; false when the deadline
  /// comes first.
  ///
  /// - Parameter isShared: Whether it is to keep writers out only, and no others of the kind.
  func lock(
    isShared: Bool = false, before deadline: @autoclosure () -> Deadline
  ) throws(LMDBError) -> Bool {
    var pauseNanoseconds: UInt64 = 50_000
    var started: Deadline?
    while true {
      let code = FileCalls.lock(descriptor, isShared: isShared)
      if code == 0 { return true }
      guard code == EWOULDBLOCK else { throw LMDBError(.beginWrite, code, path) }
      let end = started ?? deadline()
      started = end
      guard end.sleep(atMostNanoseconds: pauseNanoseconds) else { return false }
      pauseNanoseconds = min(pauseNanoseconds * 2, 5_000_000)
    }
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
    FileCalls.unlock(descriptor)
  }

  /// Notes that the file is used with a lock table, until this object goes, and throws when it is used
  /// with another one meanwhile.
  ///
  /// Two processes that use two lock tables know nothing of each other's readers and commits, and the
  /// later commit undoes the earlier. They have two when the file has two names, or when the table was
  /// removed while one of them had the file open. So each locks a byte far behind the end of the file,
  /// whose offset stands for the lock table, and looks whether others are locked.
  func join(usersOf lockTable: FilePlace) throws(LMDBError) {
    let bytes = 1 << 61..<1 << 62
    let number = lockTable.identity.inode ^ (lockTable.identity.device &* 0x9E37_79B9_7F4A_7C15)
    let own = bytes.lowerBound + Int(number % UInt64(bytes.count))
    let code = FileCalls.share(descriptor, byteAt: own)
    guard code == 0 else { throw LMDBError(.open, code, path) }
    for others in [bytes.lowerBound..<own, own + 1..<bytes.upperBound] {
      let (isShared, code) = FileCalls.isShared(descriptor, bytes: others)
      guard code == 0 else { throw LMDBError(.open, code, path) }
      guard !isShared else {
        throw .fileReplaced(
          .open, path,
          "another process uses it with another lock table, by another name of the file or because the "
            + "table was removed")
      }
    }
  }

  private static func refuseNetwork(
    _ fileSystem: FileSystem?, _ path: String, _ options: Environment.Options
  ) throws(LMDBError) {
    guard let fileSystem, fileSystem.isRemote, !options.allowsNetworkFileSystem else { return }
    throw LMDBError(.open, .networkFileSystem, path)
  }
}
