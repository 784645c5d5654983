import Foundation

/// The kind of file system that a directory is on.
package struct FileSystem {
  /// Its type, like "ext4"; "unknown" where the system does not tell.
  package let type: String
  /// What it is mounted from, like "/dev/vda".
  package let device: String

  /// Whether files there live in memory, so that a sync is free and says nothing.
  package var isInMemory: Bool { type == "tmpfs" || type == "ramfs" }

  /// Looks up the file system of a directory.
  package init(at path: String) {
    #if os(Linux)
      let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
      self.init(at: path, mounts: mounts)
    #else
      var information = statfs()
      guard statfs(path, &information) == 0 else {
        self.init(type: "unknown", device: "unknown")
        return
      }
      self.init(
        type: FileSystem.text(of: &information.f_fstypename),
        device: FileSystem.text(of: &information.f_mntfromname))
    #endif
  }

  /// Finds the mount that holds an absolute path, in the format of fstab(5).
  ///
  /// The longest mount point that leads to the path wins, and of equal ones the last.
  package init(at path: String, mounts: String) {
    var best = (length: -1, type: "unknown", device: "unknown")
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { continue }
      let point = fields[1] == "/" ? "" : String(fields[1])
      guard path == point || path.hasPrefix(point + "/"), point.count >= best.length else {
        continue
      }
      best = (point.count, String(fields[2]), String(fields[0]))
    }
    self.init(type: best.type, device: best.device)
  }

  private init(type: String, device: String) {
    self.type = type
    self.device = device
  }

  #if !os(Linux)
    private static func text<Bytes>(of bytes: inout Bytes) -> String {
      withUnsafeBytes(of: &bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
  #endif
}
