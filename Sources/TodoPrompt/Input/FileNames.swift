import CroftFoundation

/// The names of files, for Tab.
enum FileNames {
  /// The paths that begin with a text, in order; those of folders end in a slash.
  ///
  /// A name that begins with a dot is found where the dot was typed.
  static func beginning(with typed: String) -> [String] {
    let split = typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex
    let (folder, name) = (String(typed[..<split]), String(typed[split...]))
    // The error is ignored: a folder that cannot be read has no candidates.
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).sorted()
      .filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }
      .map { found in
        var isFolder = false
        let path = folder + found
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && isFolder ? path + "/" : path
      }
  }
}
