import Dispatch
import Synchronization

/// What threads send, for a test that takes one after the other and waits for those to come.
final class Mailbox<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  /// What has come and was not taken.
  var waiting: [Element] { elements.withLock { $0 } }

  func send(_ element: Element) {
    elements.withLock { $0.append(element) }
    arrivals.signal()
  }

  /// The next element, waited for on a thread of its own; nil where none comes for two minutes.
  func next() async -> Element? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let hasCome = self.arrivals.wait(timeout: .now() + 120) == .success
        continuation.resume(
          returning: hasCome ? self.elements.withLock { $0.removeFirst() } : nil)
      }
    }
  }
}
