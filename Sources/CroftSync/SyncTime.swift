/// How a synchronization waits, which tests do without.
protocol SyncTime: Sendable {
  /// The time since some moment, which clocks that are set do not change.
  var now: Duration { get }
  /// Waits; throws when the task is cancelled.
  func wait(for duration: Duration) async throws
}

/// The system's time.
struct SystemTime: SyncTime {
  private static let start = ContinuousClock.now

  var now: Duration { Self.start.duration(to: .now) }

  func wait(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}
