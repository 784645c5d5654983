/// Keeps writers out while this process reads a file without a place in its lock table.
///
/// A place tells writers which old pages must stay. Who cannot write to the lock table, because it
/// lies in a folder or on a file system that is only readable, takes the writers' lock on the data
/// file instead, shared with others like it, for as long as it reads.
///
/// Threads: any.
final class ReadingLock: Sendable {
  private let file: DataFile
  private let readers = Monitor(0)

  init(_ file: DataFile) { self.file = file }

  /// Begins to read: waits for the writer at work, if this is the first of the readers.
  func enter(within timeout: Duration) throws(LMDBError) {
    try readers.withLock { count throws(LMDBError) in
      if count == 0 {
        guard try file.lock(isShared: true, before: Deadline(after: timeout)) else {
          let holder = ProcessIdentity.described(file.lockHolder)
          throw LMDBError(.beginRead, .busy, "\(holder) is writing to \(file.path)")
        }
      }
      count += 1
    }
  }

  /// Ends reading.
  func leave() {
    readers.withLock { count in
      count -= 1
      if count == 0 { file.unlock() }
    }
  }
}
