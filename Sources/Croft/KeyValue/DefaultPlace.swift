#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a program keeps what it is not told a place for.
enum DefaultPlace {
  /// A file in the program's own folder among the user's data, which is made when it is missing.
  ///
  /// On Linux that is `$XDG_DATA_HOME/PROGRAM`, by default `~/.local/share/PROGRAM`.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where there is no such folder.
  static func file(named name: String) throws -> URL {
    let program = ProcessInfo.processInfo.processName
    let homes = FileManager.default.urls(
      for: .applicationSupportDirectory, in: .userDomainMask)
    guard let home = homes.first else {
      throw StoreError.cannotOpen(
        path: name, reason: "the user has no folder for data; give the storage a place")
    }
    let folder = home.appending(path: program)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.cannotOpen(
        path: folder.path, reason: "the folder cannot be made (\(error)); give another place")
    }
    return folder.appending(path: name)
  }
}
