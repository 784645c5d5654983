#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file in the making: it gets its name when it is complete and on the disk, and not before.
///
/// Until then it stands beside its place, under the same name with `.draft` and a random number
/// behind it, and goes with this object. A process that is killed leaves it there.
///
/// Threads: one, which makes it.
package final class DraftFile {
  /// Where the file is while it is made.
  package let path: String
  /// The file, open for writing.
  let descriptor: Int32
  private let destination: String
  private var isPublished = false

  /// Makes an empty file beside its later place.
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
    // A draft that cannot be removed is in nobody's way.
    if !isPublished { _ = FileCalls.remove(path) }
  }

  /// Writes bytes behind those that are there.
  package func write(_ bytes: [UInt8]) throws(LMDBError) {
    // Safety: the bytes lie in the array while it is lent.
    let code = unsafe bytes.withUnsafeBytes { unsafe FileCalls.write(descriptor, $0) }
    guard code == 0 else { throw LMDBError(.copy, code, destination) }
  }

  /// Waits until the file is on the disk.
  package func synchronize() throws(LMDBError) {
    let code = FileCalls.synchronize(descriptor)
    guard code == 0 else { throw LMDBError(.copy, code, destination) }
  }

  /// Gives the file its name, and waits until the folder that says so is on the disk.
  ///
  /// When only that waiting fails, a new name is taken back. What a file replaced is gone by then:
  /// the error says that the file has its place, which a power cut may still undo.
  ///
  /// - Parameters:
  ///   - replacesExisting: Whether a file of that name is replaced.
  ///   - isSynchronized: Whether the folder is waited for.
  /// - Throws: ``LMDBError/Code/fileExists`` when a file has that name and is not to be replaced.
  package func publish(
    replacesExisting: Bool, isSynchronized: Bool = true
  ) throws(LMDBError) {
    // First of all: that a folder cannot be opened must not be found out when all is done.
    let folder = isSynchronized ? try Folder(of: destination) : nil
    if !replacesExisting, try hasLinked() {
      do throws(LMDBError) {
        try folder?.synchronize(destination)
        return
      } catch {
        // Where that fails as well, a complete copy stays.
        _ = FileCalls.remove(destination)
        throw error
      }
    }
    let code = FileCalls.rename(path, to: destination)
    guard code == 0 else { throw LMDBError(.copy, code, destination) }
    isPublished = true
    try folder?.synchronize("\(destination) is replaced, but its folder may not be on the disk")
  }

  /// Gives the file its name if nothing has it; false where the file system knows no links.
  ///
  /// The draft's own name goes then with this object.
  private func hasLinked() throws(LMDBError) -> Bool {
    let code = FileCalls.link(path, to: destination)
    if code == 0 { return true }
    guard !Self.exists(destination) else { throw LMDBError(.copy, .fileExists, destination) }
    // Without links nothing is better than to look first, as was just done.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(code) else {
      throw LMDBError(.copy, code, destination)
    }
    return false
  }

  /// Gives the file the owner and the permissions of another one.
  func takePermissions(of file: DataFile) throws(LMDBError) {
    for code in [
      FileCalls.setOwner(of: descriptor, file.owner, file.group),
      FileCalls.setMode(of: descriptor, file.mode),
    ] where code != 0 { throw LMDBError(.copy, code, destination) }
  }

  /// Whether there is a file of a name.
  static func exists(_ path: String) -> Bool { FileCalls.exists(path) }
}

/// A folder, open so that one can wait until it is on the disk.
///
/// Threads: one.
final class Folder {
  private let descriptor: Int32

  /// Opens the folder that a path leads into.
  init(of path: String) throws(LMDBError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let code: Int32
    (descriptor, code) = FileCalls.open(folder, O_RDONLY | O_CLOEXEC)
    guard code == 0 else { throw LMDBError(.copy, code, folder) }
  }

  deinit {
    if descriptor >= 0 { FileCalls.close(descriptor) }
  }

  /// Waits until the names in the folder are on the disk.
  ///
  /// - Parameter detail: What the error tells of the case.
  func synchronize(_ detail: String) throws(LMDBError) {
    let code = FileCalls.synchronize(descriptor)
    // Some file systems have nothing to wait for in a folder, and say so.
    guard code == 0 || code == EINVAL else { throw LMDBError(.copy, code, detail) }
  }
}
