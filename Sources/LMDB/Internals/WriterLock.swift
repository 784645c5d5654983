/// The place of the writer, which one thread of one process holds at a time.
///
/// The C library has a lock for this that waits without end, and blocks for ever when its own
/// thread asks again. So the place is taken here first: among the threads of this process, then
/// among processes through a lock on the data file. When the C library is asked, its lock is
/// free, unless a program is at work that does not know this one.
///
/// Threads of this process get the place in the order they asked for it, so that one that asks
/// again and again keeps nobody out.
///
/// Threads: any.
final class WriterLock: Sendable {
  fileprivate struct Place {
    /// Who has it.
    var owner: ThreadIdentity?
    /// The numbers of those who wait for it, in the order they came.
    var waiting: [Int] = []
    /// The number of the last who had to wait.
    var lastNumber = 0
  }

  private let file: DataFile
  private let place = Monitor(Place())

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
      throw LMDBError(.beginWrite, .busy, busyDetail)
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
    guard place.withLock({ $0.owner != thread }) else {
      throw LMDBError(.beginWrite, .writeInsideWrite, file.path)
    }
    guard let number = place.withLock({ $0.takeOrQueue(for: thread) }) else { return }
    let isTaken: Void? = place.withLock(
      when: { $0.owner == nil && $0.waiting.first == number }, before: Deadline(after: timeout)
    ) { place in
      place.waiting.removeFirst()
      place.owner = thread
    }
    if isTaken != nil { return }
    place.withLock { $0.waiting.removeAll { $0 == number } }
    throw LMDBError(
      .beginWrite, .busy, "another thread of this process is writing to \(file.path)")
  }

  /// Lets writers of this process in again.
  func giveBackInProcess() {
    place.withLock { $0.owner = nil }
  }

  /// What an error says of the process that has the place.
  var busyDetail: String {
    "\(ProcessIdentity.described(file.lockHolder)) is writing to \(file.path)"
  }

  /// Whether the running thread holds the place.
  var isHeldByThisThread: Bool {
    place.withLock { $0.owner == ThreadIdentity.current }
  }

  /// How many threads of this process wait for the place.
  var waitingCount: Int { place.withLock { $0.waiting.count } }
}

extension WriterLock.Place {
  /// Takes a free place that nobody waits for; else the number of the new end of the queue.
  fileprivate mutating func takeOrQueue(for thread: ThreadIdentity) -> Int? {
    if owner == nil, waiting.isEmpty {
      owner = thread
      return nil
    }
    lastNumber += 1
    waiting.append(lastNumber)
    return lastNumber
  }
}
