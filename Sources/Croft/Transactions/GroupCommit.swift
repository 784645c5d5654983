internal import Dispatch
import LMDB
import Synchronization

/// Runs a store's asynchronous writes on one thread; those queued at the same time share a commit.
///
/// A commit waits for the disk, which takes longer than many closures, so all queued writes
/// share one. Each runs in a savepoint of the group's transaction, so that a failing write rolls back
/// alone; a single write needs no savepoint.
///
/// Threads: any; the schedule has a lock, which is not held while a closure runs.
final class GroupCommit: Sendable {
  private let schedule = Mutex(
    WriteSchedule<PendingWrite>(largestGroup: Threshold.writesPerGroup.value))
  /// Runs one group after another, each on one thread from begin to commit.
  private let queue = DispatchQueue(label: "croft.writer")

  #if DEBUG || CROFT_SWARM
    /// The fault plan of the test that submitted last.
    private let faults = Mutex<FaultPlan?>(nil)
  #endif

  var waitingCount: Int { schedule.withLock { $0.waitingCount } }

  /// Queues a write; it runs, or ends with an error, in its turn.
  func submit(
    _ write: PendingWrite, _ cancellation: WriteCancellation,
    to store: Store
  ) {
    #if DEBUG || CROFT_SWARM
      if let plan = FaultPlan.current { faults.withLock { $0 = plan } }
    #endif
    let (isCancelled, startsWork) = schedule.withLock { schedule in
      let (number, startsWork) = schedule.submit(write)
      // Under one lock with the submission, so that no cancelled write is started.
      let isCancelled = cancellation.submit(number)
      if isCancelled { _ = schedule.cancel(number) }
      return (isCancelled, startsWork)
    }
    if isCancelled { write.end(with: CancellationError()) }
    if startsWork { work(on: store) }
  }

  /// Ends a write that has not started, because its task was cancelled.
  func cancel(_ cancellation: WriteCancellation) {
    guard let number = cancellation.cancel() else { return }
    schedule.withLock { $0.cancel(number) }?.end(with: CancellationError())
  }

  /// Runs groups on the queue, one after the other, until no write is queued.
  private func work(on store: Store) {
    #if DEBUG || CROFT_SWARM
      queue.async {
        let plan = self.faults.withLock { $0 }
        FaultPlan.$current.withValue(plan) { self.runGroup(on: store) }
      }
    #else
      queue.async { self.runGroup(on: store) }
    #endif
  }

  private func runGroup(on store: Store) {
    guard schedule.withLock({ $0.prepare() }) else { return }
    for (write, error) in groupOutcome(on: store) { write.end(with: error) }
    work(on: store)
  }

  /// Runs a group to its end; the outcome of each of its writes.
  private func groupOutcome(
    on store: Store
  ) -> [(write: PendingWrite, error: (any Error)?)] {
    do {
      var transaction = try store.beginWrite()
      schedule.withLock { $0.begun() }
      let isAbandoned = runWrites(&transaction)
      do {
        if !isAbandoned { try store.commit(transaction) }
        return schedule.withLock { $0.finish(nil) }
      } catch {
        return schedule.withLock { $0.finish(error) }
      }
    } catch {
      return schedule.withLock { $0.beginFailed() }.map { ($0, error) }
    }
  }

  /// Runs the group's writes; true where a lone one failed, which is undone with its transaction.
  private func runWrites(_ transaction: inout WriteTransaction) -> Bool {
    while let (write, isAlone) = schedule.withLock({ $0.next() }) {
      var failure: (any Error)?
      do {
        if isAlone {
          try write.run(&transaction)
        } else {
          CoverageMark.hit(.groupOfWrites)
          try transaction.savepoint { try write.run(&$0) }
        }
      } catch {
        failure = error
        if !isAlone { CoverageMark.hit(.groupWriteFailed) }
      }
      // A full map grows when this transaction has ended: the rest is left to the next one.
      let endsGroup = transaction.undoneFailures > 0
      schedule.withLock { $0.ended(write, with: failure, endsGroup: endsGroup) }
      if isAlone, failure != nil { return true }
    }
    return false
  }

  /// The order of a store's asynchronous writes, the groups that share a commit, and how each ends.
  ///
  /// A value without threads, locks or closures: each function takes an event and returns what
  /// ``GroupCommit`` has to do. Writes run in the order in which they were submitted. Those that are
  /// queued when a transaction begins form a group, which shares one commit.
  struct WriteSchedule<Write> {
    /// The most writes of one group, so that the first of many does not wait for all of them.
    let largestGroup: Int
    /// The writes that have not started, by number.
    private var waiting: [Int: Write] = [:]
    private var last = 0
    /// The number of the last write that was started, or that failed because no transaction began.
    private var lastStarted = 0
    /// The number of the last write that was queued before the transaction began.
    private var lastQueuedBeforeBegin = 0
    private var groupEnd = 0
    /// The writes of the group that have run, in order, each with the error that it threw.
    private var group: [(write: Write, error: (any Error)?)] = []
    /// Whether a group is running or about to run.
    private var isWorking = false

    init(largestGroup: Int) { self.largestGroup = largestGroup }

    var waitingCount: Int { waiting.count }

    /// Queues a write; its number, and whether the caller has to start the work.
    mutating func submit(_ write: Write) -> (number: Int, startsWork: Bool) {
      last += 1
      waiting[last] = write
      defer { isWorking = true }
      return (last, !isWorking)
    }

    /// Removes a cancelled write from the queue; nil where it has started.
    mutating func cancel(_ number: Int) -> Write? { waiting.removeValue(forKey: number) }

    /// Prepares for a transaction; false when no write is queued, and the work stops.
    mutating func prepare() -> Bool {
      lastQueuedBeforeBegin = last
      isWorking = !waiting.isEmpty
      return isWorking
    }

    /// Ends the writes that were queued before a transaction that could not begin, and returns them.
    mutating func beginFailed() -> [Write] {
      defer { lastStarted = lastQueuedBeforeBegin }
      guard lastStarted < lastQueuedBeforeBegin else { return [] }
      return (lastStarted + 1...lastQueuedBeforeBegin).compactMap {
        waiting.removeValue(forKey: $0)
      }
    }

    /// Makes a group of all queued writes, because a transaction has begun.
    mutating func begun() { groupEnd = min(last, lastStarted + largestGroup) }

    /// Starts the group's next write, which may be its only one; nil when the group is complete.
    mutating func next() -> (write: Write, isAlone: Bool)? {
      while lastStarted < groupEnd {
        lastStarted += 1
        guard let write = waiting.removeValue(forKey: lastStarted) else { continue }
        let others =
          lastStarted < groupEnd && (lastStarted + 1...groupEnd).contains { waiting[$0] != nil }
        return (write, group.isEmpty && !others)
      }
      return nil
    }

    /// Notes that a write has run.
    ///
    /// - Parameters:
    ///   - error: What it threw, if it failed; it failed alone.
    ///   - endsGroup: Whether those that have not started go to the next group.
    mutating func ended(_ write: Write, with error: (any Error)?, endsGroup: Bool) {
      group.append((write, error))
      if endsGroup { groupEnd = lastStarted }
    }

    /// Ends the group, which is committed, or failed to be.
    ///
    /// - Parameter error: What kept the commit from happening; then nothing of the group has
    ///   happened, and each of its writes fails with this error, those included that saw changes of
    ///   the others and failed.
    /// - Returns: All writes that ran, in order, with the error of each.
    mutating func finish(_ error: (any Error)?) -> [(write: Write, error: (any Error)?)] {
      defer { group.removeAll() }
      return group.map { ($0.write, error ?? $0.error) }
    }
  }

  /// An asynchronous write that waits for its turn, or for its commit.
  struct PendingWrite: Sendable {
    /// Runs the closure; called once at most, by the writer.
    let run: @Sendable (inout WriteTransaction) throws -> Void
    /// Tells the task that waits; called once, without an error only when all is committed.
    private let endTask: @Sendable ((any Error)?) -> Void

    init<Value: Sendable>(
      _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value,
      _ continuation: CheckedContinuation<Value, any Error>
    ) {
      let outcome = Outcome<Value>()
      run = { transaction in
        let value = try body(&transaction)
        outcome.value.withLock { $0 = value }
      }
      endTask = { error in
        if let error { return continuation.resume(throwing: error) }
        guard let value = outcome.value.withLock({ $0.take() }) else {
          preconditionFailure("A write that has not run was told that it succeeded.")
        }
        continuation.resume(returning: value)
      }
    }

    func end(with error: (any Error)?) { endTask(error) }
  }

  /// What a write's closure returned, until the commit.
  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Cancels a task's write, before or after it is submitted.
  ///
  /// Threads: any; the state has a lock.
  final class WriteCancellation: Sendable {
    private enum State {
      case new
      case submitted(Int)
      case cancelled
    }

    private let state = Mutex(State.new)

    /// Notes the number; whether the task was cancelled before that.
    func submit(_ number: Int) -> Bool {
      state.withLock { state in
        if case .cancelled = state { return true }
        state = .submitted(number)
        return false
      }
    }

    /// Notes that the task was cancelled; its write's number, if it was submitted.
    func cancel() -> Int? {
      state.withLock { state in
        defer { state = .cancelled }
        if case .submitted(let number) = state { return number }
        return nil
      }
    }
  }
}
