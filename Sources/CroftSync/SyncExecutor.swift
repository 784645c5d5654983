import Dispatch

/// Runs an actor on a queue of its own, because a write to a store may wait for another writer.
///
/// Threads: any; the queue is serial.
final class SyncExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "croft.sync")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
