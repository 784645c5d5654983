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

/// A descriptor of our own for the data file: to look at it before it is mapped, and to lock it.
///
/// LMDB's own locks are on its lock file, which is never touched here; they cannot be disturbed by this.
final class DataFile: Sendable {
  let path: String
  let identity: FileIdentity
  /// Whether the file came into being with this object.
  let isCreated: Bool
  private let descriptor: Int32

  /// Opens a file, or creates it unless the options say that it is only read.
  init(openingAt path: String, _ options: Environment.Options) throws(LMDBError) {
    self.path = path
    var created = false
    // Closed on exec, so that no child keeps the lock when this process is gone.
    let access = (options.isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC
    var descriptor = openFile(path, access)
    if descriptor < 0, errno == ENOENT, !options.isReadOnly {
      descriptor = openFile(path, access | O_CREAT | O_EXCL, mode_t(options.fileMode))
      created = descriptor >= 0
      // Another process was faster: its file will do.
      if descriptor < 0, errno == EEXIST { descriptor = openFile(path, access) }
    }
    guard descriptor >= 0 else { throw LMDBError(.open, errno, path) }
    var status = stat()
    // Safety: the structure is a local variable.
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw LMDBError(.open, code, path)
    }
    self.descriptor = descriptor
    isCreated = created
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  deinit { close(descriptor) }
}

/// The corresponding C function is `open`, whose name methods of ours would hide.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  // Safety: the system copies the path.
  unsafe open(path, flags, mode)
}
