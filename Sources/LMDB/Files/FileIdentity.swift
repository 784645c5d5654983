#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The identity of a file, by whatever path it was opened.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

extension FileIdentity {
  /// The identity in a file's status.
  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
