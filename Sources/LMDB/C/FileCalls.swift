internal import CLMDB
internal import CroftLibc

/// The system's calls for files and folders.
///
/// All that this module makes are in this file, so that a debug build can make the Nth one fail. A
/// call that a signal interrupted is repeated here, so that callers need not do so. A function returns
/// the system's code (errno), 0 when the call succeeded; the callers turn codes into errors.
///
/// Threads: any.
enum FileCalls {
  /// The corresponding C function is `open`; the descriptor is -1 when it fails.
  static func open(
    _ path: String, _ flags: Int32, mode: UInt16 = 0
  ) -> (descriptor: Int32, code: Int32) {
    let (descriptor, code) = attempt { openFile(path, flags, mode_t(mode)) }
    return (descriptor, code)
  }

  /// The corresponding C function is `close`, whose errors are ignored: the descriptor is closed.
  static func close(_ descriptor: Int32) {
    _ = closeFile(descriptor)
  }

  /// The corresponding C function is `fstat`.
  static func status(of descriptor: Int32) -> (status: stat, code: Int32) {
    var status = stat()
    // Safety: the structure is a local variable.
    let code = attempt { unsafe fstat(descriptor, &status) }.code
    return (status, code)
  }

  /// The corresponding C functions are `stat` and, for a link itself, `lstat`.
  static func status(
    ofPath path: String, followsLink: Bool = true
  ) -> (status: stat, code: Int32) {
    var status = stat()
    // Safety: the structure is a local variable, and the system copies the path.
    let code = attempt { unsafe followsLink ? stat(path, &status) : lstat(path, &status) }.code
    return (status, code)
  }

  /// The identity and the length of a file by its path.
  ///
  /// The times are not asked for: a kernel that gives each file times of its own (Linux from 6.13) would change
  /// them with the next write for that reason alone, which some file systems make a sync wait for. The
  /// corresponding C function is `statx`, or `stat` where the system has none.
  static func identity(
    ofPath path: String
  ) -> (identity: FileIdentity, byteCount: Int, code: Int32) {
    #if os(Linux)
      var status = statx()
      // Safety: the structure is a local variable, and the system copies the path.
      let code = unsafe path.withCString { path in
        attempt { unsafe statx(AT_FDCWD, path, 0, UInt32(STATX_INO | STATX_SIZE), &status) }.code
      }
      // Old kernels have no such call, and some containers forbid it.
      if code != ENOSYS, code != EPERM {
        return (FileIdentity(status), Int(status.stx_size), code)
      }
    #endif
    let (old, oldCode) = Self.status(ofPath: path)
    return (FileIdentity(old), Int(old.st_size), oldCode)
  }

  /// The corresponding C function is `fstatvfs`.
  static func fileSystemStatus(of descriptor: Int32) -> (status: statvfs, code: Int32) {
    var status = statvfs()
    // Safety: the structure is a local variable.
    let code = attempt { unsafe fstatvfs(descriptor, &status) }.code
    return (status, code)
  }

  /// The corresponding C function is `fstatfs`.
  static func fileSystem(of descriptor: Int32) -> (status: statfs, code: Int32) {
    var status = statfs()
    // Safety: the structure is a local variable.
    let code = attempt { unsafe fstatfs(descriptor, &status) }.code
    return (status, code)
  }

  /// The corresponding C function is `statfs`.
  static func fileSystem(ofPath path: String) -> (status: statfs, code: Int32) {
    var status = statfs()
    // Safety: the structure is a local variable, and the system copies the path.
    let code = attempt { unsafe statfs(path, &status) }.code
    return (status, code)
  }

  /// Whether a path exists; the corresponding C function is `access`.
  static func exists(_ path: String) -> Bool {
    // Safety: the system copies the path.
    attempt { unsafe access(path, F_OK) }.code == 0
  }

  /// The names in a folder, in no order; none where the folder cannot be read.
  ///
  /// The corresponding C functions are `opendir` and `readdir`.
  static func names(in folder: String) -> [String] {
    #if DEBUG || CROFT_SWARM
      if FaultPlan.fileCallFailure(in: #function) != nil { return [] }
    #endif
    // Safety: the system copies the path; an entry is copied before the next one is read.
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
        ) { unsafe String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// The path without links, or nil when the call fails; the corresponding C function is `realpath`.
  static func realPath(_ path: String) -> String? {
    // Safety: the system copies the path, and its result is copied before it is freed.
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Reads until a buffer is full or the file ends; the corresponding C function is `pread`.
  static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) -> (count: Int, code: Int32) {
    var done = 0
    while done < buffer.count {
      // Safety: the rest of the buffer takes the rest of the bytes.
      let (count, code) = attempt {
        unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(offset + done))
      }
      guard code == 0 else { return (done, code) }
      if count == 0 { break }
      done += count
    }
    return (done, 0)
  }

  /// Writes all of a buffer; the corresponding C function is `write`.
  static func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int32 {
    var done = 0
    while done < buffer.count {
      // Safety: the rest of the buffer holds the rest of the bytes.
      let (count, code) = attempt {
        unsafe writeFile(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
      }
      guard code == 0 else { return code }
      // Writing to a regular file writes at least a byte, or fails.
      guard count > 0 else { return EIO }
      done += count
    }
    return 0
  }

  /// Writes all of a buffer at an offset; the corresponding C function is `pwrite`.
  static func write(
    _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, at offset: Int
  ) -> Int32 {
    var done = 0
    while done < buffer.count {
      // Safety: the rest of the buffer holds the rest of the bytes.
      let (count, code) = attempt {
        unsafe pwrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(offset + done))
      }
      guard code == 0 else { return code }
      guard count > 0 else { return EIO }
      done += count
    }
    return 0
  }

  /// Reads bytes at an offset into an array: fewer than requested at the end of the file.
  static func read(
    _ descriptor: Int32, at offset: Int, count: Int
  ) -> (bytes: [UInt8], code: Int32) {
    var code: Int32 = 0
    // Safety: the bytes that the system has written are initialised; the array may have room for more
    // than requested.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let room = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
      (initializedCount, code) = unsafe read(descriptor, into: room, at: offset)
    }
    return (bytes, code)
  }

  /// Waits until the bytes of a file are on the disk, and what is needed to read them.
  ///
  /// The corresponding C function is `fdatasync`, on Apple's systems `fsync`.
  static func synchronizeData(_ descriptor: Int32) -> Int32 {
    #if os(Linux)
      attempt { fdatasync(descriptor) }.code
    #else
      attempt { fsync(descriptor) }.code
    #endif
  }

  /// The corresponding C function is `fsync`.
  static func synchronize(_ descriptor: Int32) -> Int32 {
    attempt { fsync(descriptor) }.code
  }

  /// An extended attribute as text, or nil; the corresponding C function is `fgetxattr`.
  static func attribute(_ name: String, of descriptor: Int32) -> String? {
    #if os(Linux)
      var bytes = [UInt8](repeating: 0, count: 256)
      let size = bytes.count
      // Safety: the buffer has as many bytes as it says, and the system copies the name.
      let (count, code) = attempt {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe fgetxattr(descriptor, name, $0.baseAddress, size)
        }
      }
      return code == 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    #else
      return nil
    #endif
  }

  /// Sets an extended attribute; the corresponding C function is `fsetxattr`.
  ///
  /// Nothing is set where the system or its file system has none.
  static func setAttribute(_ name: String, to text: String, of descriptor: Int32) {
    #if os(Linux)
      let bytes = Array(text.utf8)
      // Safety: the buffer has as many bytes as it says, and the system copies it and the name.
      _ = attempt {
        unsafe bytes.withUnsafeBytes {
          unsafe fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0)
        }
      }
    #endif
  }

  /// The corresponding C function is `ftruncate`.
  static func resize(_ descriptor: Int32, to bytes: Int) -> Int32 {
    attempt { ftruncate(descriptor, off_t(bytes)) }.code
  }

  /// Allocates blocks for a file's first bytes, and leaves its length.
  ///
  /// It succeeds without effect where the system has no such function. The corresponding C function is `fallocate`.
  static func allocate(_ descriptor: Int32, _ bytes: Int) -> Int32 {
    #if os(Linux)
      let keepingSize: Int32 = 1
      let code = attempt { fallocate(descriptor, keepingSize, 0, off_t(bytes)) }.code
      return [EOPNOTSUPP, ENOSYS, EINVAL].contains(code) ? 0 : code
    #else
      return 0
    #endif
  }

  /// The corresponding C function is `link`.
  static func link(_ path: String, to other: String) -> Int32 {
    attempt { linkFile(path, other) }.code
  }

  /// The corresponding C function is `rename`.
  static func rename(_ path: String, to other: String) -> Int32 {
    attempt { renameFile(path, other) }.code
  }

  /// The corresponding C function is `unlink`.
  static func remove(_ path: String) -> Int32 {
    // Safety: the system copies the path.
    attempt { unsafe unlink(path) }.code
  }

  /// The corresponding C function is `fchown`.
  static func setOwner(of descriptor: Int32, _ owner: UInt32, _ group: UInt32) -> Int32 {
    attempt { fchown(descriptor, owner, group) }.code
  }

  /// The corresponding C function is `fchmod`.
  static func setMode(of descriptor: Int32, _ mode: UInt16) -> Int32 {
    attempt { fchmod(descriptor, mode_t(mode)) }.code
  }

  /// The corresponding C function is `flock`, which does not wait here.
  static func lock(_ descriptor: Int32, isShared: Bool) -> Int32 {
    attempt { lockFile(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) }.code
  }

  /// The corresponding C function is `flock`; releasing a lock cannot fail.
  static func unlock(_ descriptor: Int32) {
    _ = lockFile(descriptor, LOCK_UN)
  }

  /// Locks the first byte for this process alone; the corresponding C function is `fcntl`.
  static func lockFirstByte(_ descriptor: Int32) -> Int32 {
    var lock = lockDescription(F_WRLCK, 0..<1)
    // Safety: the structure is a local variable.
    return attempt { unsafe fcntl(descriptor, F_SETLK, &lock) }.code
  }

  /// The process that has the first byte locked exclusively; nil when there is none, or the call fails.
  ///
  /// The corresponding C function is `fcntl`.
  static func ownerOfFirstByte(_ descriptor: Int32) -> Int? {
    var lock = lockDescription(F_RDLCK, 0..<1)
    // Safety: the structure is a local variable.
    let code = attempt { unsafe fcntl(descriptor, F_GETLK, &lock) }.code
    return code == 0 && lock.l_type == Int16(F_WRLCK) ? Int(lock.l_pid) : nil
  }

  // The numbers of F_OFD_GETLK and F_OFD_SETLK, on Linux, whose names Swift does not see.
  private static let getLockOfDescription: Int32 = 36
  private static let setLockOfDescription: Int32 = 37

  /// Locks one byte, shared with others, until the last duplicate of this descriptor is closed.
  ///
  /// The code is EINVAL or EOPNOTSUPP where the system has no such lock. The corresponding C function is `fcntl`
  /// with `F_OFD_SETLK`.
  static func share(_ descriptor: Int32, byteAt offset: Int) -> Int32 {
    #if os(Linux)
      var lock = lockDescription(F_RDLCK, offset..<offset + 1)
      // Safety: the structure is a local variable.
      return attempt { unsafe fcntl(descriptor, setLockOfDescription, &lock) }.code
    #else
      return EOPNOTSUPP
    #endif
  }

  /// Locks one byte for this descriptor alone, which does not wait; 0 also where the system or the descriptor cannot.
  ///
  /// The corresponding C function is `fcntl` with `F_OFD_SETLK`.
  static func lock(_ descriptor: Int32, byteAt offset: Int) -> Int32 {
    #if os(Linux)
      var lock = lockDescription(F_WRLCK, offset..<offset + 1)
      // Safety: the structure is a local variable.
      let code = attempt { unsafe fcntl(descriptor, setLockOfDescription, &lock) }.code
      return [EAGAIN, EACCES].contains(code) ? code : 0
    #else
      return 0
    #endif
  }

  /// Releases that lock.
  static func unlock(_ descriptor: Int32, byteAt offset: Int) {
    #if os(Linux)
      var lock = lockDescription(F_UNLCK, offset..<offset + 1)
      // Safety: the structure is a local variable. Releasing a lock cannot fail.
      _ = unsafe fcntl(descriptor, setLockOfDescription, &lock)
    #endif
  }

  /// Whether one of some bytes is locked through another descriptor, by the function above.
  ///
  /// The corresponding C function is `fcntl` with `F_OFD_GETLK`.
  static func isShared(
    _ descriptor: Int32, bytes: Range<Int>
  ) -> (isShared: Bool, code: Int32) {
    #if os(Linux)
      guard !bytes.isEmpty else { return (false, 0) }
      var lock = lockDescription(F_WRLCK, bytes)
      // Safety: the structure is a local variable.
      let code = attempt { unsafe fcntl(descriptor, getLockOfDescription, &lock) }.code
      return (code == 0 && lock.l_type != Int16(F_UNLCK), code)
    #else
      return (false, 0)
    #endif
  }

  /// Maps bytes of a file for reading; nil when the system refuses.
  ///
  /// The corresponding C function is `mmap`.
  static func map(_ descriptor: Int32, _ count: Int) -> UnsafeRawPointer? {
    #if DEBUG || CROFT_SWARM
      if FaultPlan.fileCallFailure(in: #function) != nil { return nil }
    #endif
    // Safety: a new mapping, over nothing.
    guard let start = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    return UnsafeRawPointer(start)
  }

  /// Unmaps bytes; the corresponding C function is `munmap`, which cannot fail for a valid mapping.
  static func unmap(_ start: UnsafeRawPointer, _ count: Int) {
    // Safety: the caller mapped these bytes, and does not read them any more.
    _ = unsafe munmap(UnsafeMutableRawPointer(mutating: start), count)
  }
}

/// Makes a call, repeated when a signal interrupts it, unless a fault plan makes it fail.
private func attempt<Result: SignedInteger>(
  in function: StaticString = #function, _ call: () -> Result
) -> (result: Result, code: Int32) {
  while true {
    #if DEBUG || CROFT_SWARM
      switch FaultPlan.fileCallFailure(in: function) {
      case nil: break
      case EINTR: continue
      case let code?: return (-1, code)
      }
    #endif
    let result = call()
    if result >= 0 { return (result, 0) }
    let code = errno
    if code != EINTR { return (-1, code) }
  }
}

/// The structure that describes a lock of some bytes.
private func lockDescription(_ kind: Int32, _ bytes: Range<Int>) -> flock {
  var lock = flock()
  lock.l_type = Int16(kind)
  lock.l_whence = Int16(SEEK_SET)
  lock.l_start = off_t(bytes.lowerBound)
  lock.l_len = off_t(bytes.count)
  return lock
}

// C functions with the same names as functions above.

private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  // Safety: the system copies the path.
  unsafe open(path, flags, mode)
}

private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  // Safety: the caller's buffer holds as many bytes as it says.
  unsafe write(descriptor, bytes, count)
}

private func linkFile(_ path: String, _ other: String) -> Int32 {
  // Safety: the system copies both paths.
  unsafe link(path, other)
}

private func renameFile(_ path: String, _ other: String) -> Int32 {
  // Safety: the system copies both paths.
  unsafe rename(path, other)
}

private func lockFile(_ descriptor: Int32, _ operation: Int32) -> Int32 {
  flock(descriptor, operation)
}
