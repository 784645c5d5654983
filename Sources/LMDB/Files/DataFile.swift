internal import CroftLibc

/// This module's own descriptor of the data file, to validate it before it is mapped and to lock it.
///
/// LMDB's locks are on its lock file, which must not be opened here: the system would drop them all
/// when any descriptor of that file is closed. The data file has none of them.
///
/// Threads: any; the descriptor never changes.
final class DataFile: Sendable {
  let path: String
  let identity: FileIdentity
  /// The path without links; the lock table is beside it, whatever path the file was opened by.
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
    // Closed on exec, so that no child keeps the lock when this process has ended; not blocking,
    // in case the path is a pipe's.
    let access = (options.isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK
    if DirectoryEntry.isForeignLink(path) { throw LMDBError(.open, .foreignLink, path) }
    var (descriptor, code) = FileCalls.open(path, access)
    if code == ENOENT, DirectoryEntry.isLink(path) { throw LMDBError(.open, .danglingLink, path) }
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

  /// Creates a file without rows; one that another process creates meanwhile is used instead.
  ///
  /// The file gets its name when it is complete. Otherwise a power cut could leave a part of it, which
  /// looks like a damaged store.
  private static func create(
    _ path: String, _ options: Environment.Options
  ) throws(LMDBError) {
    do throws(LMDBError) {
      let draft = try TemporaryFile(of: path, mode: options.fileMode)
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

  /// The file's size and times beside the number of the commit that left them; nil where `fstat` fails.
  func state(at version: Int) -> SoundState? {
    let (status, code) = FileCalls.status(of: descriptor)
    return code == 0 ? SoundState(status, at: version) : nil
  }

  /// The state in which another process left the file with sound pages; nil where none is known.
  var recordedState: SoundState? {
    FileCalls.attribute(SoundState.attribute, of: descriptor).flatMap {
      SoundState(recordedIn: $0, start: SoundState.systemStart)
    }
  }

  /// Records the state in which this process leaves the file with sound pages.
  func record(_ state: SoundState) {
    let start = SoundState.systemStart
    if start.isEmpty { return }
    FileCalls.setAttribute(SoundState.attribute, to: state.text(start: start), of: descriptor)
  }

  /// Whether the file is on the file system of the folder that has its name.
  var isOnFileSystemOfItsFolder: Bool {
    get throws(LMDBError) {
      let folder = String(realPath[..<(realPath.lastIndex(of: "/") ?? realPath.startIndex)])
      let (status, code) = FileCalls.status(ofPath: folder.isEmpty ? "/" : folder)
      guard code == 0 else { throw LMDBError(.open, code, path) }
      return FileIdentity(status).device == identity.device
    }
  }

  /// Whether the file is on a read-only file system.
  var isOnReadOnlyFileSystem: Bool {
    let (status, code) = FileCalls.fileSystemStatus(of: descriptor)
    guard code == 0 else { return false }
    return UInt(status.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// The code of a failed write: a full disk and the limit of a file's size have codes of their own.
  ///
  /// The C library reports both as an error of the device when the disk took a part of a write.
  func cause(of code: Int32) -> LMDBError.Code {
    let code = LMDBError.Code(rawValue: code)
    guard code == .inputOutput else { return code }
    if hasReachedLimit { return .fileTooLarge }
    return hasNoRoomToGrow ? .outOfSpace : code
  }

  /// Whether the disk has less than a mebibyte free for users.
  private var hasNoRoomToGrow: Bool {
    let (status, code) = FileCalls.fileSystemStatus(of: descriptor)
    guard code == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 1 << 20
  }

  /// Whether the file has nearly reached the limit of this process for the size of a file.
  private var hasReachedLimit: Bool {
    var limit = rlimit()
    // Safety: the structure is a local variable.
    #if canImport(Glibc)
      let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let code = unsafe getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    // When the size cannot be read, the error remains a failed write.
    guard code == 0, limit.rlim_cur < 1 << 62, let size = try? size else { return false }
    return size + 1 << 20 > Int(limit.rlim_cur)
  }

  /// Whether a descriptor is one of this file.
  func isSame(as descriptor: Int32) -> Bool {
    let (status, code) = FileCalls.status(of: descriptor)
    return code == 0 && FileIdentity(status) == identity
  }

  /// Reads bytes at an offset: fewer than requested at the end of the file.
  func read(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
    let (bytes, code) = FileCalls.read(descriptor, at: offset, count: count)
    guard code == 0 else { throw LMDBError(.open, code, path) }
    return bytes
  }

  /// Writes bytes beside those of the C library: the journal's marker, and meta pages while nobody else does.
  func write(_ bytes: [UInt8], at offset: Int) throws(LMDBError) {
    // Safety: the array outlives the call.
    let code = unsafe bytes.withUnsafeBytes { unsafe FileCalls.write(descriptor, $0, at: offset) }
    guard code == 0 else { throw LMDBError(.commit, code, path) }
  }

  /// Waits until all that was written is on the disk.
  func synchronize() throws(LMDBError) {
    let code = FileCalls.synchronizeData(descriptor)
    guard code == 0 else { throw LMDBError(.commit, code, path) }
  }

  /// Whether the system would map so many bytes of the file now.
  func canMap(_ count: Int) -> Bool {
    guard let start = unsafe map(count) else { return false }
    unsafe unmap(start, count)
    return true
  }

  /// Maps bytes of the file for reading; nil when the system refuses.
  func map(_ count: Int) -> UnsafeRawPointer? { unsafe FileCalls.map(descriptor, count) }

  /// Unmaps bytes that were mapped.
  func unmap(_ start: UnsafeRawPointer, _ count: Int) { unsafe FileCalls.unmap(start, count) }

  /// The byte whose lock the process has that gets the lock among processes next.
  private static let turnByte = 1 << 61 - 1
  /// How long a process waits for another one that has the turn, which may be stopped.
  private static let mostWaitingForTurn = Duration.milliseconds(100)

  /// Acquires the lock among processes; false when the deadline comes first.
  ///
  /// The system has no queue for it. So one of the waiting processes has the turn, and a process that writes
  /// again and again does not get the lock before that one.
  ///
  /// - Parameter isShared: Whether other shared locks are allowed, as those of readers without a lock
  ///   table; a writer's is exclusive.
  func lock(
    isShared: Bool = false, before deadline: @autoclosure () -> Deadline
  ) throws(LMDBError) -> Bool {
    var pauseNanoseconds: UInt64 = 50_000
    var waiting: (end: Deadline, turn: Deadline)?
    var hasTurn = false
    defer { if hasTurn { FileCalls.unlock(descriptor, byteAt: Self.turnByte) } }
    while true {
      if !hasTurn { hasTurn = FileCalls.lock(descriptor, byteAt: Self.turnByte) == 0 }
      if hasTurn || waiting?.turn.remainingNanoseconds == 0 {
        let code = FileCalls.lock(descriptor, isShared: isShared)
        if code == 0 { return true }
        guard code == EWOULDBLOCK else { throw LMDBError(.beginWrite, code, path) }
      }
      let (end, turn) = waiting ?? (deadline(), Deadline(after: Self.mostWaitingForTurn))
      waiting = (end, turn)
      guard end.sleep(atMostNanoseconds: pauseNanoseconds) else { return false }
      pauseNanoseconds = min(pauseNanoseconds * 2, hasTurn ? 1_000_000 : 5_000_000)
    }
  }

  /// The process that holds that lock; nil where the system does not list it.
  var lockHolder: Int? {
    #if os(Linux)
      // A line is "1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF": the process, then device and
      // number of the file. Waiting processes have an arrow before the kind.
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

  /// Releases that lock.
  func unlock() {
    FileCalls.unlock(descriptor)
  }

  /// Throws when another process uses the file with another lock table, now or while this object exists.
  ///
  /// Processes with different lock tables do not see each other's readers and commits, and the later
  /// commit overwrites the earlier. That happens when the file has two names, or when the table was
  /// removed while a process had the file open. So each process locks a byte far past the end of the
  /// file, at an offset that follows from the lock table's identity, and checks the other bytes. A lock of
  /// a file that has been closed lasts until the children that its process was just starting run their
  /// own program, so it is waited for, up to a second.
  func join(usersOf lockTable: DirectoryEntry) throws(LMDBError) {
    let (bytes, own) = (Self.usersBytes, Self.usersByte(of: lockTable))
    let code = FileCalls.share(descriptor, byteAt: own)
    // Without such locks nothing is known of other lock tables.
    if [EINVAL, EOPNOTSUPP].contains(code) { return }
    guard code == 0 else { throw LMDBError(.open, code, path) }
    let deadline = Deadline(after: .seconds(1))
    for others in [bytes.lowerBound..<own, own + 1..<bytes.upperBound] {
      while true {
        let (isShared, code) = FileCalls.isShared(descriptor, bytes: others)
        guard code == 0 else { throw LMDBError(.open, code, path) }
        if !isShared { break }
        if deadline.sleep(atMostNanoseconds: 5_000_000) { continue }
        throw .fileReplaced(
          .open, path,
          "another process uses it with another lock table, by another name of the file or because the "
            + "table was removed")
      }
    }
  }

  /// The bytes of which each process locks one, by its lock table.
  private static let usersBytes = 1 << 61..<1 << 62

  private static func usersByte(of lockTable: DirectoryEntry) -> Int {
    let number = lockTable.identity.inode ^ (lockTable.identity.device &* 0x9E37_79B9_7F4A_7C15)
    return usersBytes.lowerBound + Int(number % UInt64(usersBytes.count))
  }

  /// Whether another process has the file open; true also where the system does not say.
  func isOpenElsewhere(with lockTable: DirectoryEntry) -> Bool {
    #if os(Linux)
      let byte = Self.usersByte(of: lockTable)
      let (isShared, code) = FileCalls.isShared(descriptor, bytes: byte..<byte + 1)
      return isShared || code != 0
    #else
      return true
    #endif
  }

  private static func refuseNetwork(
    _ fileSystem: FileSystem?, _ path: String, _ options: Environment.Options
  ) throws(LMDBError) {
    guard let fileSystem, fileSystem.isRemote, !options.allowsNetworkFileSystem else { return }
    throw LMDBError(.open, .networkFileSystem, path)
  }
}
