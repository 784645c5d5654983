import Croft
import Dispatch
import Observation
import Testing

/// What `withObservationTracking` reports of a closure's reads, one report for each tracking.
@MainActor final class Tracking {
  private let read: @MainActor () -> Void
  private let reports = Mailbox<Int>()
  /// How many changes were reported.
  private(set) var count = 0

  init(_ read: @escaping @MainActor () -> Void) {
    self.read = read
    track()
  }

  private func track() {
    let reports = reports
    withObservationTracking(read) { reports.send(1) }
  }

  /// Waits for a change, which has been made then, and tracks the next one.
  func next() async throws {
    count += try #require(await reports.next(), "no change was reported")
    track()
  }

  /// Notes the changes that were delivered, after all commits that were made.
  func drain(_ store: Store) async {
    store.drainObservers()
    // The main queue has the deliveries of these commits before this block.
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    guard !reports.waiting.isEmpty else { return }
    _ = await reports.next()
    count += 1
    track()
  }
}
