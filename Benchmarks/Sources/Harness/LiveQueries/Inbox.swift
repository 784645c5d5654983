internal import Dispatch
internal import Synchronization

/// Where an engine delivers the results of one watched query.
package final class Inbox: Sendable {
  private typealias Delivery = Result<@Sendable () -> LiveResult, any Error>

  private let deliveries = DispatchSemaphore(value: 0)
  private let latest = Mutex<(delivery: Delivery, time: UInt64)>((.success { .objects([]) }, 0))

  /// Starts with nothing delivered.
  package init() {}

  /// Notes a delivery.
  ///
  /// - Parameter read: makes what was delivered into the harness's own, off the clock.
  package func deliver(_ read: @escaping @Sendable () -> LiveResult) {
    let now = SharedClock.now
    latest.withLock { $0 = (.success(read), now) }
    deliveries.signal()
  }

  /// Notes that nothing more will come.
  package func fail(_ error: any Error) {
    latest.withLock { $0 = (.failure(error), SharedClock.now) }
    deliveries.signal()
  }

  /// Waits for one delivery.
  ///
  /// - Throws: why nothing more will come.
  func wait() throws {
    deliveries.wait()
    _ = try latest.withLock { $0.delivery }.get()
  }

  /// Waits for one delivery, for so long.
  ///
  /// - Returns: when it came, by ``SharedClock``.
  /// - Throws: why nothing more will come; `Missed` when nothing came.
  @discardableResult
  package func wait(atMost patience: Duration) throws -> UInt64 {
    let nanoseconds = Int(patience / .nanoseconds(1))
    guard deliveries.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else {
      throw Missed(patience: patience)
    }
    let (delivery, time) = latest.withLock { $0 }
    _ = try delivery.get()
    return time
  }

  /// What was delivered last.
  package func result() throws -> LiveResult { try latest.withLock { $0.delivery }.get()() }

  /// A change that was committed was not delivered.
  struct Missed: Error, CustomStringConvertible {
    let patience: Duration

    var description: String { "a commit was not delivered within \(patience)" }
  }
}
