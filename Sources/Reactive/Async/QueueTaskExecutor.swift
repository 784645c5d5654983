import Dispatch

/// Runs the tasks of observables on threads of the system's queues.
///
/// The cooperative pool has as many threads as the machine has cores, and a test that waits in
/// `toBlocking` occupies one of them. When several tests wait at the same time, none would be left
/// for the tasks that they wait for.
final class QueueTaskExecutor: TaskExecutor {
  static let shared = QueueTaskExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global(qos: QueueTaskExecutor.quality(of: job.priority)).async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private static func quality(of priority: JobPriority) -> DispatchQoS.QoSClass {
    switch priority.rawValue {
    case ...TaskPriority.background.rawValue: .background
    case ...TaskPriority.utility.rawValue: .utility
    case ...TaskPriority.medium.rawValue: .default
    default: .userInitiated
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Starts a task of an observable, which needs no thread of the cooperative pool.
  package static func ofObservable(
    priority: TaskPriority? = nil, detached: Bool = false,
    _ operation: @escaping @Sendable () async -> Void
  ) -> Task {
    detached
      ? .detached(
        executorPreference: QueueTaskExecutor.shared, priority: priority, operation: operation)
      : Task(executorPreference: QueueTaskExecutor.shared, priority: priority, operation: operation)
  }
}
