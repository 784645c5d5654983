#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A path and the file that it led to, to notice when it leads to another one, or to none.
///
/// An open file outlives its name: what is written to it after somebody has removed or replaced it
/// is gone when the last descriptor is closed.
package struct FilePlace: Sendable {
  let path: String
  let identity: FileIdentity
  /// How long the file stays at least.
  var leastBytes = 0

  /// Whether the path still leads to the file, in O(1): one call of the system.
  ///
  /// Where the system does not let this process look (any more), nothing speaks against it.
  var isKept: Bool {
    let (status, code) = FileCalls.status(ofPath: path)
    guard code == 0 else { return code != ENOENT && code != ENOTDIR }
    return FileIdentity(status) == identity && Int(status.st_size) >= leastBytes
  }

  /// Whether the file is shorter than it may be.
  var isCut: Bool {
    let (status, code) = FileCalls.status(ofPath: path)
    return code == 0 && FileIdentity(status) == identity && Int(status.st_size) < leastBytes
  }

  /// The place of a file that may become longer, but no shorter than it is.
  func withLengthNow() -> FilePlace {
    let (status, code) = FileCalls.status(ofPath: path)
    guard code == 0, FileIdentity(status) == identity else { return self }
    return FilePlace(path: path, identity: identity, leastBytes: Int(status.st_size))
  }

  /// Whether a path is that of a link, wherever it leads.
  static func isLink(_ path: String) -> Bool { ownerOfLink(path) != nil }

  /// Whether a path is that of a link which another user made, who is not the system's own.
  ///
  /// Whoever may write to a folder can put such a link where a program is about to open its file, to
  /// make it write to another one.
  package static func isForeignLink(_ path: String) -> Bool {
    ownerOfLink(path).map { $0 != geteuid() && $0 != 0 } ?? false
  }

  private static func ownerOfLink(_ path: String) -> UInt32? {
    let (status, code) = FileCalls.status(ofPath: path, followsLink: false)
    guard code == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    return UInt32(status.st_uid)
  }
}
