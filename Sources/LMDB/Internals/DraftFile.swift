#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file in the making: it gets its name when it is complete and on the disk, and not before.
///
/// Until then it stands beside its place, under the same name with `.draft` and a random number
/// behind it, and goes with this object. A process that is killed leaves it there.
///
/// Threads: one, which makes it.
package final class DraftFile {
  /// Where the file is while it is made.
  package let path: String
  /// The file, open for writing.
  let descriptor: Int32
  private let destination: String
  private var isPublished = false

  /// Makes an empty file beside its later place.
  package init(of destination: String, mode: UInt16) throws(LMDBError) {
    self.destination = destination
    path = "\(destination).draft-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    // Safety: the system copies the path.
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else { throw LMDBError(.copy, errno, destination) }
  }

  deinit {
    close(descriptor)
    // Safety: the system copies the path. A draft that cannot be removed is in nobody's way.
    if !isPublished { _ = unsafe unlink(path) }
  }

  /// Writes bytes behind those that are there.
  package func write(_ bytes: [UInt8]) throws(LMDBError) {
    var done = 0
    while done < bytes.count {
      // Safety: the rest of the bytes lies in the array while it is lent.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: buffer[done...]))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw LMDBError(.copy, errno, destination) }
      done += count
    }
  }

  /// Waits until the file is on the disk.
  package func synchronize() throws(LMDBError) {
    guard fsync(descriptor) == 0 else { throw LMDBError(.copy, errno, destination) }
  }

  /// Gives the file its name, and waits until the folder that says so is on the disk.
  ///
  /// - Throws: ``LMDBError/Code/fileExists`` when a file has that name and is not to be replaced.
  package func publish(replacesExisting: Bool) throws(LMDBError) {
    // Safety: the system copies both paths. A link fails where the name is taken, which renaming
    // would not, and the draft's own name goes then with this object.
    if !replacesExisting, unsafe link(path, destination) == 0 {
      try synchronizeFolder()
      return
    }
    if !replacesExisting {
      let code = errno
      guard !Self.exists(destination) else { throw LMDBError(.copy, .fileExists, destination) }
      // Some file systems know no links; there nothing is better than to look first.
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(code) else {
        throw LMDBError(.copy, code, destination)
      }
    }
    guard unsafe rename(path, destination) == 0 else {
      throw LMDBError(.copy, errno, destination)
    }
    isPublished = true
    try synchronizeFolder()
  }

  /// Gives the file the owner and the permissions of another one.
  func takePermissions(of file: DataFile) throws(LMDBError) {
    guard fchown(descriptor, file.owner, file.group) == 0,
      fchmod(descriptor, mode_t(file.mode)) == 0
    else { throw LMDBError(.copy, errno, destination) }
  }

  /// Whether there is a file of a name.
  static func exists(_ path: String) -> Bool {
    // Safety: the system copies the path.
    unsafe access(path, F_OK) == 0
  }

  private func synchronizeFolder() throws(LMDBError) {
    let end = destination.lastIndex(of: "/")
    let folder = end.map { String(destination[...$0]) } ?? "."
    // Safety: the system copies the path.
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(.copy, errno, folder) }
    defer { close(descriptor) }
    // Some file systems have nothing to wait for in a folder, and say so.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw LMDBError(.copy, errno, folder)
    }
  }
}

/// The corresponding C function is `write`, which a method of ours would hide where it is called.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  // Safety: the buffer holds as many bytes as it says.
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
