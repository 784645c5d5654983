import Foundation
import Reactive
import Synchronization
import Testing

/// Runs the body on so many threads at once, and returns when all of them are done.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let start = DispatchSemaphore(value: 0)
  let done = DispatchGroup()
  #if DEBUG
    let counter = Resources.counter
  #endif
  // Let go of by every thread before it is done: what the body holds shall not outlive this call.
  let shared = Box(body)
  for index in 0..<count {
    done.enter()
    Thread.detachNewThread {
      start.wait()
      #if DEBUG
        Resources.$counter.withValue(counter) { shared.value?(index) }
      #else
        shared.value?(index)
      #endif
      done.leave()
    }
  }
  for _ in 0..<count { start.signal() }
  // The deadline only turns a deadlock into a failure.
  if done.wait(timeout: .now() + 60) == .timedOut {
    Issue.record("deadlock: threads did not come back")
  }
  shared.value = nil
}

/// Holds a thread until another one lets it through.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Waits for the other thread; the deadline only turns a deadlock into a failure.
  func pass(_ comment: Comment) {
    if semaphore.wait(timeout: .now() + 20) == .timedOut {
      Issue.record("deadlock: \(comment)")
    }
  }
}

/// Notices when two threads are in it, or one twice.
final class Turnstile: Sendable {
  private let inside = Atomic<Int>(0)
  private let collisions = Atomic<Int>(0)

  var wasShared: Bool { collisions.load(ordering: .acquiring) > 0 }

  func pass(_ body: () -> Void) {
    if inside.add(1, ordering: .acquiringAndReleasing).newValue > 1 {
      collisions.add(1, ordering: .relaxed)
    }
    body()
    inside.subtract(1, ordering: .acquiringAndReleasing)
  }
}

/// Says when it goes away.
final class Witness: Sendable {
  private let onDeinit: @Sendable () -> Void

  init(_ onDeinit: @escaping @Sendable () -> Void = {}) {
    self.onDeinit = onDeinit
  }

  deinit { onDeinit() }

  func touch() {}
}
