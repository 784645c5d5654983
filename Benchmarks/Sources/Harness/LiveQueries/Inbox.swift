internal import Dispatch
internal import Synchronization

/// Where an engine delivers the results of one watched query.
package final class Inbox: Sendable {
  private let deliveries = DispatchSemaphore(value: 0)
  private let latest = Mutex<Result<@Sendable () -> [Item], any Error>>(.success { [] })

  /// Starts with nothing delivered.
  package init() {}

  /// Notes a delivery.
  ///
  /// - Parameter read: makes the delivered result into the harness's objects, off the clock.
  package func deliver(_ read: @escaping @Sendable () -> [Item]) {
    latest.withLock { $0 = .success(read) }
    deliveries.signal()
  }

  /// Notes that nothing more will come.
  package func fail(_ error: any Error) {
    latest.withLock { $0 = .failure(error) }
    deliveries.signal()
  }

  /// Waits for one delivery.
  ///
  /// - Throws: why nothing more will come.
  func wait() throws {
    deliveries.wait()
    _ = try latest.withLock { $0 }.get()
  }

  /// What was delivered last.
  func items() throws -> [Item] { try latest.withLock { $0 }.get()() }
}
