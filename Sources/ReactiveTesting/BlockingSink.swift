import Dispatch
import Foundation
import Reactive
import Synchronization

/// Collects elements until the sequence ends or their number reaches a limit.
final class BlockingSink<Element: Sendable>: Sink<Element>, @unchecked Sendable {
  // Unchecked: the lock guards what changes.

  private struct State {
    var elements: [Element] = []
    var isOver = false
    var error: (any Error)?
  }

  private let limit: Int
  /// Whether it is the main thread that waits.
  private let isOnMainThread = Thread.isMainThread
  private let state = Mutex(State())
  private let upstream = SingleAssignmentDisposable()
  private let isOver = DispatchSemaphore(value: 0)

  init(limit: Int) {
    self.limit = limit
  }

  override func attach(_ upstream: any Disposable) { self.upstream.setDisposable(upstream) }

  override func next(_ element: Element) {
    let isEnough = state.withLock { state in
      if state.isOver { return false }
      state.elements.append(element)
      return state.elements.count == limit
    }
    if isEnough { end(nil) }
  }

  override func done(_ error: (any Error)?) { end(error) }

  override var isDisposed: Bool { state.withLock { $0.isOver } }

  /// Waits for the end, and returns a timeout error when it does not arrive in time.
  func wait(seconds: Double?) -> MaterializedSequenceResult<Element> {
    let deadline: DispatchTime = seconds.map { .now() + $0 } ?? .distantFuture
    let isInTime = isOnMainThread ? runMainLoop(until: deadline) : waitForSignal(until: deadline)
    if !isInTime { end(RxError.timeout) }
    return state.withLock { state in
      state.error.map { .failed(elements: state.elements, error: $0) }
        ?? .completed(elements: state.elements)
    }
  }

  private func waitForSignal(until deadline: DispatchTime) -> Bool {
    isOver.wait(timeout: deadline) == .success
  }

  /// Runs the main queue's work while it waits, because no other thread can.
  private func runMainLoop(until deadline: DispatchTime) -> Bool {
    while !state.withLock({ $0.isOver }) {
      if DispatchTime.now() >= deadline { return false }
      // In short steps: within work of the main queue the loop cannot be woken, and without input
      // sources it returns at once.
      let step = DispatchTime.now() + .milliseconds(5)
      if !RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005)) {
        _ = isOver.wait(timeout: min(step, deadline))
      }
    }
    return true
  }

  private func end(_ error: (any Error)?) {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      if !state.isOver { state.error = error }
      return !state.isOver
    }
    guard isFirst else { return }
    upstream.dispose()
    isOver.signal()
    // Wakes the main loop.
    if isOnMainThread { DispatchQueue.main.async {} }
  }
}
