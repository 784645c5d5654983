import Croft
import Dispatch
import Synchronization

/// Stops a thread until the test lets it continue.
final class Gate: Sendable {
  private let arrival = DispatchSemaphore(value: 0)
  private let opening = DispatchSemaphore(value: 0)

  /// Says that the place is reached, and waits there until the gate opens.
  func pass() {
    arrival.signal()
    opening.wait()
  }

  /// Waits until the place is reached, on a thread of its own.
  func reached() async { await OwnThreads.run { self.arrival.wait() } }

  /// Lets the thread continue.
  func open() { opening.signal() }
}

/// Runs tasks' parts one at a time, in the order they come.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "croft.tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Keeps what threads tell it, in the order they do.
final class Recorder<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
