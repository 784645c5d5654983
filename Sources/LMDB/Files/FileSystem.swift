internal import CLMDB
internal import CroftLibc

/// The kind of a file system.
struct FileSystem {
  /// Whether other machines can change its files.
  let isRemote: Bool

  #if canImport(Darwin)
    private init(_ status: statfs) {
      isRemote = status.f_flags & UInt32(MNT_LOCAL) == 0
    }
  #else
    /// A file system by the number that Linux gives its kind (statfs(2), field `f_type`).
    init(kind: UInt32) {
      isRemote = Self.remoteKinds.contains(kind)
    }

    private init(_ status: statfs) {
      self.init(kind: UInt32(truncatingIfNeeded: status.f_type))
    }

    /// A FUSE file system counts as local, because its kind is unknown.
    private static let remoteKinds: Set<UInt32> = [
      0x6969,  // NFS
      0x517B,  // SMB
      0xFF53_4D42,  // CIFS
      0xFE53_4D42,  // SMB 2
      0x0102_1997,  // 9P
      0x00C3_6400,  // Ceph
      0x5346_414F,  // AFS
      0x7375_7245,  // Coda
      0x564C,  // NCP
      0x0BD0_0BD0,  // Lustre
      0x4750_4653,  // GPFS
      0x7461_636F,  // OCFS2
      0x0116_1970,  // GFS2
    ]
  #endif

  /// The file system of an open file; nil when the system call fails.
  init?(of descriptor: Int32) {
    let (status, code) = FileCalls.fileSystem(of: descriptor)
    guard code == 0 else { return nil }
    self.init(status)
  }

  /// The file system of the folder that a path leads into; nil when there is none.
  init?(ofFolderOf path: String) {
    let end = path.lastIndex(of: "/")
    let (status, code) = FileCalls.fileSystem(ofPath: end.map { String(path[...$0]) } ?? ".")
    guard code == 0 else { return nil }
    self.init(status)
  }
}

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

  #if os(Linux)
    /// The identity in a file's status, where the device is in two parts.
    init(_ status: statx) {
      let major = UInt64(status.stx_dev_major)
      let minor = UInt64(status.stx_dev_minor)
      // As `makedev` joins them.
      let device =
        (major & ~0xFFF) << 32 | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | minor & 0xFF
      self.init(device: device, inode: status.stx_ino)
    }
  #endif
}
