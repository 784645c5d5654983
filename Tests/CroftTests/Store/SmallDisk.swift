import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A small disk: a file system in memory, which needs the right to mount one.
final class SmallDisk {
  let folder: URL

  /// Whether this process may mount a file system: root may, outside of strict containers.
  static let canBeMounted: Bool = {
    do {
      _ = try SmallDisk(bytes: 1 << 20)
      return true
    } catch {
      return false
    }
  }()

  struct CannotMount: Error {
    let code: Int32
  }

  init(bytes: Int) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #if canImport(Glibc)
      if mount("tmpfs", folder.path, "tmpfs", 0, "size=\(bytes)") == 0 { return }
      let code = errno
    #else
      let code = ENOTSUP
    #endif
    try FileManager.default.removeItem(at: folder)
    throw CannotMount(code: code)
  }

  deinit {
    #if canImport(Glibc)
      // Files that are still open are removed with their last descriptor.
      umount2(folder.path, Int32(MNT_DETACH))
    #endif
    // A folder that cannot be removed is litter and no failure of the test.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Fills what room is left with a file.
  func fill() throws {
    let handle = open(folder.appending(path: "filler").path, O_WRONLY | O_CREAT, 0o600)
    guard handle >= 0 else { throw CannotMount(code: errno) }
    let block = [UInt8](repeating: 1, count: 4_096)
    while write(handle, block, block.count) > 0 {}
    close(handle)
  }
}
