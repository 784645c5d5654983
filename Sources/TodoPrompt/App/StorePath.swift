#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file that the items are kept in, and whether the user named it.
struct StorePath {
  let path: String
  private let isNamed: Bool

  /// `--db` comes first, then `TODO_DB`, then `todo/todo.croft` in the data folder.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    if let path = option ?? environment["TODO_DB"], option != nil || !path.isEmpty {
      self.path = path
      isNamed = true
      return
    }
    guard
      let folder = StateFile.xdgFolder(
        "XDG_DATA_HOME", below: ".local/share", environment: environment)
    else { throw CommandError(.noHome) }
    path = "\(folder)/todo/todo.croft"
    isNamed = false
  }

  /// The path from the root of the file system.
  var absolutePath: String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  /// Refuses a named file in a folder that does not exist: that is a typo more often than a wish.
  ///
  /// The folder of the usual place is made when it is missing.
  func check() throws(CommandError) {
    guard isNamed else { return }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var isFolder = false
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder { return }
    throw CommandError(.noFolder(folder))
  }
}
