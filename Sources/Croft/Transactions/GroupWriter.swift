internal import Dispatch
import LMDB
import Synchronization

/// Runs a store's asynchronous writes on one thread, as many in one commit as wait for it.
///
/// A commit waits for the disk, which takes longer than many closures: so all writes that wait
/// share one. Each is a savepoint of the group's transaction, so that one that fails fails alone;
/// a lone one needs none.
///
/// Threads: any; the schedule has a lock, which is not held while a closure runs.
final class GroupWriter: Sendable {
  private static var largestGroup: Int { Threshold.writesPerGroup.value }

  private let schedule = Mutex(
    WriteSchedule<any PendingWrite>(largestGroup: GroupWriter.largestGroup))
  /// Runs one group after another, each on one thread from begin to commit.
  private let queue = DispatchQueue(label: "croft.writer")

  #if DEBUG || CROFT_SWARM
    /// The faults of the test that submitted last, which strike what it asked for.
    private let faults = Mutex<FaultPlan?>(nil)
  #endif

  /// How many writes have not started.
  var waitingCount: Int { schedule.withLock { $0.waitingCount } }

  /// Takes a write; it runs, or ends with an error, in its turn.
  func submit(_ write: any PendingWrite, _ ticket: WriteTicket, to store: Store) {
    #if DEBUG || CROFT_SWARM
      if let plan = FaultPlan.current { faults.withLock { $0 = plan } }
    #endif
    let (isCancelled, startsWork) = schedule.withLock { schedule in
      let (number, startsWork) = schedule.submit(write)
      // One step with the submission: the writer must not find what was cancelled before.
      let isCancelled = ticket.submit(number)
      if isCancelled { _ = schedule.cancel(number) }
      return (isCancelled, startsWork)
    }
    if isCancelled { write.end(with: CancellationError()) }
    if startsWork { work(on: store) }
  }

  /// Ends a write that has not started, because its task was cancelled.
  func cancel(_ ticket: WriteTicket) {
    guard let number = ticket.cancel() else { return }
    schedule.withLock { $0.cancel(number) }?.end(with: CancellationError())
  }

  /// Sends the writer to work: it runs a group and comes back here, until none waits.
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

  /// Runs a group to its end; what each of its writes is told.
  private func groupOutcome(
    on store: Store
  ) -> [(write: any PendingWrite, error: (any Error)?)] {
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

  /// Runs the writes of the group.
  ///
  /// - Returns: Whether there was a lone one, which failed: it is undone with its transaction.
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
      // A full map grows when the transaction has ended, so the others do better in a new one.
      let endsGroup = transaction.undoneFailures > 0
      schedule.withLock { $0.ended(write, with: failure, endsGroup: endsGroup) }
      if isAlone, failure != nil { return true }
    }
    return false
  }
}
