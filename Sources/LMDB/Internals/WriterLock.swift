/// The place of the writer, which one thread at a time holds.
///
/// Threads: any.
final class WriterLock: Sendable {
  private let owner = Monitor<ThreadIdentity?>(nil)

  /// Takes the place for the running thread.
  func take(before deadline: Deadline) throws(LMDBError) {
    let thread = ThreadIdentity.current
    guard owner.withLock({ $0 != thread }) else { throw LMDBError(.beginWrite, .writeInsideWrite) }
    let isTaken: Void? = owner.withLock(when: { $0 == nil }, before: deadline) { $0 = thread }
    guard isTaken != nil else { throw LMDBError(.beginWrite, .busy) }
  }

  /// Gives the place back.
  func giveBack() {
    owner.withLock { $0 = nil }
  }

  /// Whether the running thread holds the place.
  var isHeldByThisThread: Bool {
    owner.withLock { $0 == ThreadIdentity.current }
  }
}
