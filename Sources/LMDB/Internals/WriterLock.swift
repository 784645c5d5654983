/// The place of the writer, which one thread of one process holds at a time.
///
/// The C library has a lock for this that waits without end, and blocks for ever when its own
/// thread asks again. So the place is taken here first: among the threads of this process, then
/// among processes through a lock on the data file. When the C library is asked, its lock is
/// free, unless a program is at work that does not know this one.
///
/// Threads: any.
final class WriterLock: Sendable {
  private let file: DataFile
  private let owner = Monitor<ThreadIdentity?>(nil)

  init(_ file: DataFile) { self.file = file }

  /// Takes the place for the running thread.
  func take(within timeout: Duration) throws(LMDBError) {
    try takeInProcess(within: timeout)
    let isLocked: Bool
    do throws(LMDBError) {
      isLocked = try file.lock(before: Deadline(after: timeout))
    } catch {
      giveBackInProcess()
      throw error
    }
    guard isLocked else {
      giveBackInProcess()
      throw LMDBError(.beginWrite, .busy, file.path)
    }
  }

  /// Gives the place back.
  func giveBack() {
    file.unlock()
    giveBackInProcess()
  }

  /// Keeps writers of this process out, but not those of others.
  func takeInProcess(within timeout: Duration) throws(LMDBError) {
    let thread = ThreadIdentity.current
    guard owner.withLock({ $0 != thread }) else {
      throw LMDBError(.beginWrite, .writeInsideWrite, file.path)
    }
    let isTaken: Void? = owner.withLock(
      when: { $0 == nil }, before: Deadline(after: timeout)
    ) { $0 = thread }
    guard isTaken != nil else { throw LMDBError(.beginWrite, .busy, file.path) }
  }

  /// Lets writers of this process in again.
  func giveBackInProcess() {
    owner.withLock { $0 = nil }
  }

  /// Whether the running thread holds the place.
  var isHeldByThisThread: Bool {
    owner.withLock { $0 == ThreadIdentity.current }
  }
}
