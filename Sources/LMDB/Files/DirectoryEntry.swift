internal import CroftLibc

/// A path and the file that it led to, to detect that the file was removed or replaced.
///
/// An open file outlives its name: bytes written to it after it was removed or replaced
/// are lost when its last descriptor is closed.
package struct DirectoryEntry: Sendable {
  let path: String
  let identity: FileIdentity
  /// The least length of the file.
  var leastBytes = 0

  /// Whether the path still leads to the file, by one system call.
  ///
  /// It is true also when this process has no permission to find out.
  var isUnchanged: Bool {
    let (found, byteCount, code) = FileCalls.identity(ofPath: path)
    guard code == 0 else { return code != ENOENT && code != ENOTDIR }
    return found == identity && byteCount >= leastBytes
  }

  /// Whether the file has been truncated.
  var isTruncated: Bool {
    let (found, byteCount, code) = FileCalls.identity(ofPath: path)
    return code == 0 && found == identity && byteCount < leastBytes
  }

  /// The entry with the file's current length as the least.
  func withCurrentLength() -> DirectoryEntry {
    let (found, byteCount, code) = FileCalls.identity(ofPath: path)
    guard code == 0, found == identity else { return self }
    return DirectoryEntry(path: path, identity: identity, leastBytes: byteCount)
  }

  /// Whether a path is a symbolic link, wherever it leads.
  static func isLink(_ path: String) -> Bool { ownerOfLink(path) != nil }

  /// Whether a path is a symbolic link that neither this user nor root made.
  ///
  /// With such a link, another user decides which file the program opens and writes to.
  package static func isForeignLink(_ path: String) -> Bool {
    ownerOfLink(path).map { $0 != geteuid() && $0 != 0 } ?? false
  }

  private static func ownerOfLink(_ path: String) -> UInt32? {
    let (status, code) = FileCalls.status(ofPath: path, followsLink: false)
    guard code == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    return UInt32(status.st_uid)
  }
}
