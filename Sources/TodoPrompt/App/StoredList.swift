import CroftFoundation
import CroftLibc

/// The ids in the file of a list, of which each is read when it is asked for.
///
/// The file stays open: another process that replaces it does not change what this one has read, and
/// one that appends adds nothing to it.
///
/// Threads: one.
final class StoredList {
  let count: Int
  private let descriptor: Int32
  private let start: Int

  /// The bytes of an id and its line feed.
  private static let lineBytes = 37

  /// Opens a file that consists of a header, and of an id on each line; nil for any other file.
  init?(path: String, header: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let start = header.utf8.count
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    let isWhole = size >= start && (size - start) % Self.lineBytes == 0
    guard isWhole, Self.bytes(start, at: 0, of: descriptor) == Array(header.utf8),
      size == start || Self.bytes(1, at: size - 1, of: descriptor) == [UInt8(ascii: "\n")]
    else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.start = start
    count = (size - start) / Self.lineBytes
  }

  deinit { close(descriptor) }

  /// The id at an index; nil for a line without an id.
  subscript(index: Int) -> UUID? {
    let line = Self.bytes(Self.lineBytes, at: start + index * Self.lineBytes, of: descriptor)
    return UUID(uuidString: String(decoding: line.dropLast(), as: UTF8.self))
  }

  /// The first index of an id; nil if it is not among them.
  ///
  /// - Complexity: O(n) in the ids, of which few are in memory at a time.
  func firstIndex(of id: UUID) -> Int? {
    let wanted = Array(id.uuidString.utf8)
    let linesAtOnce = 1000
    for first in stride(from: 0, to: count, by: linesAtOnce) {
      let lines = Self.bytes(
        min(linesAtOnce, count - first) * Self.lineBytes, at: start + first * Self.lineBytes,
        of: descriptor)
      for offset in stride(from: 0, to: lines.count, by: Self.lineBytes)
      where lines[offset..<min(lines.count, offset + wanted.count)].elementsEqual(wanted) {
        return first + offset / Self.lineBytes
      }
    }
    return nil
  }

  /// Whether a path is that of this file, and nobody has appended to it since it was opened.
  func isAll(of path: String) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
      && Int(named.st_size) == start + count * Self.lineBytes
  }

  private static func bytes(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }
}
