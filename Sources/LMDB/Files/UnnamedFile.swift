internal import CroftLibc

/// A file without a name beside a data file, for bytes that do not have to be in memory.
///
/// The system removes it when this object is released, or the process ends, however it ends.
///
/// Threads: one at a time.
package final class UnnamedFile {
  private let descriptor: Int32
  private let path: String
  /// How many bytes were appended.
  package private(set) var count = 0

  /// Makes an empty file beside the file of an environment.
  package init(besides environment: Environment) throws(LMDBError) {
    path = environment.realPath
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let name = "\(path).scratch-\(UInt64.random(in: .min ... .max))"
    let (descriptor, code) = FileCalls.open(name, flags, mode: environment.core.file.mode)
    guard code == 0 else { throw LMDBError(.open, code, name) }
    self.descriptor = descriptor
    // Where the name cannot be removed, the file stays until somebody removes it.
    _ = FileCalls.remove(name)
  }

  deinit { FileCalls.close(descriptor) }

  /// Appends bytes.
  ///
  /// - Returns: Their offset.
  package func append(_ bytes: [UInt8]) throws(LMDBError) -> Int {
    let offset = count
    // Safety: the array outlives the call.
    let code = unsafe bytes.withUnsafeBytes {
      unsafe FileCalls.write(descriptor, $0, at: offset)
    }
    guard code == 0 else { throw LMDBError(.put, code, path) }
    count += bytes.count
    return offset
  }

  /// Reads bytes that were appended.
  package func bytes(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
    let (bytes, code) = FileCalls.read(descriptor, at: offset, count: count)
    guard code == 0, bytes.count == count else {
      throw LMDBError(.get, code == 0 ? EIO : code, path)
    }
    return bytes
  }
}
