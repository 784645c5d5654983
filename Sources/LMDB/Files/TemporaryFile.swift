#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A temporary file that gets its name when it is complete and on the disk.
///
/// Until then it is beside its destination, under the same name with `.draft` and a random number
/// after it, and is removed with this object. A process that is killed leaves it there.
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
    self.destination = destination
    path = "\(destination).draft-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let code: Int32
    (descriptor, code) = FileCalls.open(path, flags, mode: mode)
    guard code == 0 else { throw LMDBError(.copy, code, destination) }
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
  /// When only that waiting fails, a new name is removed again. A replaced file is gone by then:
  /// the error says that the file is replaced, which a power cut may still undo.
  ///
  /// - Parameters:
  ///   - replacesExisting: Whether a file of that name is replaced.
  ///   - isSynchronized: Whether the folder is waited for.
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
    try folder?.synchronize("\(destination) is replaced, but its folder may not be on the disk")
  }

  /// Gives the file its name unless a file has it; false where the file system has no links.
  ///
  /// The temporary name is removed with this object.
  private func hasLinked() throws(LMDBError) -> Bool {
    let code = FileCalls.link(path, to: destination)
    if code == 0 { return true }
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
