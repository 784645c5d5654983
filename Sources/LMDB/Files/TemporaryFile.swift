internal import CroftLibc

/// A temporary file that gets its name when it is complete and on the disk.
///
/// Until then it is beside its destination, under the same name with `.draft` and a random number
/// after it, and is removed with this object. A process that is killed leaves it there, and the next
/// temporary file for the same destination removes it: it is locked while its process exists.
///
/// Threads: one.
package final class TemporaryFile {
  /// The path of the temporary file.
  package let path: String
  /// The file, open for writing.
  let descriptor: Int32
  private let destination: String
  private var isPublished = false

  /// Creates an empty file beside its destination.
  package init(of destination: String, mode: UInt16) throws(LMDBError) {
    Self.removeAbandoned(of: destination)
    self.destination = destination
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    while true {
      let path = Self.start(of: destination) + String(UInt32.random(in: .min ... .max), radix: 16)
      let (descriptor, code) = FileCalls.open(path, flags, mode: mode)
      guard code == 0 else { throw LMDBError(.copy, code, destination) }
      // Without a lock, where the file system has none, nobody else gets one to remove the file.
      _ = FileCalls.lock(descriptor, isShared: false)
      // Until it was locked, another process could take it for an abandoned one, and remove it.
      let (status, statusCode) = FileCalls.status(of: descriptor)
      if statusCode == 0, status.st_nlink > 0 {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      FileCalls.close(descriptor)
      guard statusCode == 0 else {
        _ = FileCalls.remove(path)
        throw LMDBError(.copy, statusCode, destination)
      }
    }
  }

  /// What the names of temporary files for a destination begin with.
  private static func start(of destination: String) -> String { "\(destination).draft-" }

  /// Removes the temporary files of processes that were killed.
  ///
  /// The lock tells them: it ends with the process. What cannot be listed, opened or removed stays.
  private static func removeAbandoned(of destination: String) {
    let start = start(of: destination)
    let slash = start.lastIndex(of: "/")
    let folder = slash.map { String(start[...$0]) } ?? "./"
    let prefix = slash.map { start[start.index(after: $0)...] } ?? start[...]
    for name in FileCalls.names(in: folder) where name.hasPrefix(prefix) {
      let number = name.dropFirst(prefix.count)
      guard number.count <= 8, UInt32(number, radix: 16) != nil else { continue }
      let path = folder + name
      let (descriptor, code) = FileCalls.open(
        path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
      guard code == 0 else { continue }
      defer { FileCalls.close(descriptor) }
      let (status, statusCode) = FileCalls.status(of: descriptor)
      guard statusCode == 0, status.st_mode & S_IFMT == S_IFREG,
        FileCalls.lock(descriptor, isShared: false) == 0
      else { continue }
      _ = FileCalls.remove(path)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    FileCalls.close(descriptor)
    // A temporary file that cannot be removed does no harm.
    if !isPublished { _ = FileCalls.remove(path) }
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(LMDBError) {
    // Safety: the array outlives the call.
    let code = unsafe bytes.withUnsafeBytes { unsafe FileCalls.write(descriptor, $0) }
    guard code == 0 else { throw LMDBError(.copy, code, destination) }
  }

  /// Waits until the file is on the disk.
  package func synchronize() throws(LMDBError) {
    let code = FileCalls.synchronize(descriptor)
    guard code == 0 else { throw LMDBError(.copy, code, destination) }
  }

  /// Gives the file its name, and waits until the folder is on the disk.
  ///
  /// If only the sync of the folder fails, a new name is removed again. A replaced file cannot be
  /// restored then: the error says that the file is replaced, which a power cut may still undo.
  ///
  /// - Parameters:
  ///   - replacesExisting: Whether a file of that name is replaced.
  ///   - isSynchronized: Whether the function waits for the folder.
  /// - Throws: ``LMDBError/Code/fileExists`` when a file has that name and is not to be replaced.
  package func publish(
    replacesExisting: Bool, isSynchronized: Bool = true
  ) throws(LMDBError) {
    // Opened first, so that an error of the folder leaves everything unchanged.
    let folder = isSynchronized ? try Folder(of: destination) : nil
    if !replacesExisting, try hasLinked() {
      do throws(LMDBError) {
        try folder?.synchronize(destination)
        return
      } catch {
        // When that fails as well, a complete copy remains.
        _ = FileCalls.remove(destination)
        throw error
      }
    }
    let code = FileCalls.rename(path, to: destination)
    guard code == 0 else { throw LMDBError(.copy, code, destination) }
    isPublished = true
    FileCalls.unlock(descriptor)
    try folder?.synchronize("\(destination) is replaced, but its folder may not be on the disk")
  }

  /// Gives the file its name unless a file has it; false where the file system has no links.
  ///
  /// The temporary name is removed with this object.
  private func hasLinked() throws(LMDBError) -> Bool {
    let code = FileCalls.link(path, to: destination)
    if code == 0 {
      // A writer locks the file by its new name. Another process may remove the old one first.
      FileCalls.unlock(descriptor)
      return true
    }
    guard !Self.exists(destination) else { throw LMDBError(.copy, .fileExists, destination) }
    // Without links there is no better way than to check first, as was just done.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(code) else {
      throw LMDBError(.copy, code, destination)
    }
    return false
  }

  /// Gives the file the owner and the permissions of another file.
  func takePermissions(of file: DataFile) throws(LMDBError) {
    for code in [
      FileCalls.setOwner(of: descriptor, file.owner, file.group),
      FileCalls.setMode(of: descriptor, file.mode),
    ] where code != 0 { throw LMDBError(.copy, code, destination) }
  }

  /// Whether there is a file of a name.
  static func exists(_ path: String) -> Bool { FileCalls.exists(path) }
}
