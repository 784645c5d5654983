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
  fileprivate init(_ status: stat) {
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
    var (descriptor, code) = FileCalls.open(path, access)
    var isCreated = false
    if code == ENOENT, !options.isReadOnly {
      try Self.refuseNetwork(FileSystem(ofFolderOf: path), path, options)
      isCreated = try Self.create(path, options)
      (descriptor, code) = FileCalls.open(path, access)
    }
    guard code == 0 else { throw LMDBError(.open, code, path) }
    self.descriptor = descriptor
    self.isCreated = isCreated
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

  /// Makes a file without rows, unless another process is faster, whose file will do; whether it did.
  ///
  /// The file gets its name when it is complete. Were it made in its place, a power cut could leave a
  /// part of it, which nobody could tell from a damaged store.
  private static func create(
    _ path: String, _ options: Environment.Options
  ) throws(LMDBError) -> Bool {
    do throws(LMDBError) {
      let draft = try DraftFile(of: path, mode: options.fileMode)
      try EnvironmentHandle.open(draft.path, options, isWithoutLockTable: true).close()
      let waits = options.durability != .unsafe
      if waits { try draft.synchronize() }
      try draft.publish(replacesExisting: false, isSynchronized: waits)
      return true
    } catch {
      if error.code == .fileExists { return false }
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

  /// Whether a descriptor is one of this file.
  func isSame(as descriptor: Int32) -> Bool {
    let (status, code) = FileCalls.status(of: descriptor)
    return code == 0 && FileIdentity(status) == identity
  }

  /// Whether the path still leads to this file.
  var isAtItsPath: Bool {
    let (status, code) = FileCalls.status(ofPath: realPath)
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

  /// Removes a file that this object created, unless somebody has written to it.
  func removeIfStillEmpty() {
    // A file that cannot be looked at or removed is empty, and as good as none.
    if isCreated, (try? Preflight.isUnwritten(self)) == true { _ = FileCalls.remove(path) }
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

  /// Lets go of that lock.
  func unlock() {
    FileCalls.unlock(descriptor)
  }

  private static func refuseNetwork(
    _ fileSystem: FileSystem?, _ path: String, _ options: Environment.Options
  ) throws(LMDBError) {
    guard let fileSystem, fileSystem.isRemote, !options.allowsNetworkFileSystem else { return }
    throw LMDBError(.open, .networkFileSystem, path)
  }
}
