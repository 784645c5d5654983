import CroftFoundation
import LMDB

/// A private folder for a while.
struct TemporaryFolder {
  let path: String
  /// The store in it.
  var storePath: String { path + "/store.croft" }

  /// Copies the bytes of a file, or of the file that a link leads to, into the folder.
  func copy(_ url: URL) throws {
    do {
      try Environment.copyFile(at: url.path, to: storePath)
    } catch {
      throw StoreError(error, opening: url.path)
    }
  }

  /// Makes a folder that only this user can enter.
  ///
  /// - Parameter parent: The folder in which it is.
  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    let path = parent.appending(path: "croft-\(UUID())").path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.cannotOpen(path: path, reason: "no temporary folder (\(error))")
    }
    self.path = path
  }

  /// Removes the folder with all that is in it; a file that is open lives on without its name.
  func remove() {
    // A folder that cannot be removed is left to the system's own cleaning: the store works all
    // the same.
    try? FileManager.default.removeItem(atPath: path)
  }
}
