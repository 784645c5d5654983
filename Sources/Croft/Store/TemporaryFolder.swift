#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A private folder for a while.
struct TemporaryFolder {
  let path: String

  /// Makes a folder that only this user can enter.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where none can be made.
  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID())").path
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
