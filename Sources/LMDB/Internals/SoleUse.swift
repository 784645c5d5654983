#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Keeps every other process from opening a file, for as long as this object lives.
///
/// Whoever has a file open through the C library holds a shared lock on the first byte of its lock
/// table. An exclusive one can be had only when nobody does, and makes those wait who come
/// meanwhile. Those will join the table as they find it, so that it is emptied first: should this process
/// die with another file in the place of the one that the table is about, they are refused instead
/// of believing it. Whoever comes first afterwards makes it anew.
///
/// Threads: one. This process must not have the file open, because the system drops the locks that a
/// process has on a file with the first descriptor of it that is closed.
final class SoleUse {
  private let descriptor: Int32

  /// Takes a file for this process alone; nil when another process has it open.
  init?(of path: String, mode: UInt16, maxReaders: Int) throws(LMDBError) {
    let descriptor = try LockFile.openChecked(path + "-lock", mode: mode).descriptor
    self.descriptor = descriptor
    switch FileCalls.lockFirstByte(descriptor) {
    case 0: break
    case EACCES, EAGAIN: return nil
    case let code: throw LMDBError(.open, code, path)
    }
    let resized = FileCalls.resize(descriptor, to: 0)
    guard resized == 0 else { throw LMDBError(.open, resized, path) }
    // The table will be made anew, for which there must be room.
    try LockFile.allocate(descriptor, LockFile.byteCount(maxReaders: maxReaders), path)
  }

  deinit { FileCalls.close(descriptor) }
}
