import Dispatch
import Reactive
import Synchronization

/// Collects what a sequence sends until it ends or there is enough.
final class BlockingSink<Element: Sendable>: Sink<Element>, @unchecked Sendable {
  // Unchecked: what changes is guarded.

  private struct State {
    var elements: [Element] = []
    var isOver = false
    var error: (any Error)?
  }

  private let limit: Int
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

  /// Waits for the end, which is an error of its own when it does not come in time.
  func wait(seconds: Double?) -> MaterializedSequenceResult<Element> {
    if let seconds {
      if isOver.wait(timeout: .now() + seconds) == .timedOut { end(RxError.timeout) }
    } else {
      isOver.wait()
    }
    return state.withLock { state in
      state.error.map { .failed(elements: state.elements, error: $0) }
        ?? .completed(elements: state.elements)
    }
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
  }
}
