/// How a synchronization waits, which tests do without.
protocol SyncTime: Sendable {
  /// Waits; throws when the task is cancelled.
  func wait(for duration: Duration) async throws
}

/// The system's time.
struct SystemTime: SyncTime {
  func wait(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}
