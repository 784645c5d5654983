import Croft
import Dispatch
import Synchronization

/// What threads send, for a test that takes one after the other and waits for those to come.
final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiting: CheckedContinuation<Element?, Never>?
    /// How many times somebody has waited, so that a deadline knows whose it is.
    var waits = 0
  }

  private let state = Mutex(State())

  /// What has come and was not taken.
  var waiting: [Element] { state.withLock { $0.elements } }

  func send(_ element: Element) {
    let receiver = state.withLock { state in
      if state.waiting == nil { state.elements.append(element) }
      return state.waiting.take()
    }
    receiver?.resume(returning: element)
  }

  /// The next element, waited for without a thread; nil where none comes for two minutes.
  func next() async -> Element? {
    await withCheckedContinuation { continuation in
      let (element, wait) = state.withLock { state -> (Element?, Int) in
        state.waits += 1
        if !state.elements.isEmpty { return (state.elements.removeFirst(), state.waits) }
        state.waiting = continuation
        return (nil, state.waits)
      }
      if let element { return continuation.resume(returning: element) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 120) { self.giveUp(wait) }
    }
  }

  private func giveUp(_ wait: Int) {
    state.withLock { $0.waits == wait ? $0.waiting.take() : nil }?.resume(returning: nil)
  }
}
