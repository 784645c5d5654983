internal import CroftLibc

/// An open folder, to wait until its names are on the disk.
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
  /// - Parameter detail: The detail of the error.
  func synchronize(_ detail: String) throws(LMDBError) {
    let code = FileCalls.synchronize(descriptor)
    // Some file systems cannot synchronize a folder, and need not.
    guard code == 0 || code == EINVAL else { throw LMDBError(.copy, code, detail) }
  }
}
