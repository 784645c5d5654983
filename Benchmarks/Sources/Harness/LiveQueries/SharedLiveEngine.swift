/// A live engine whose observers hear of what other processes commit.
///
/// Commits are as safe as the engine makes them by itself.
package protocol SharedLiveEngine: LiveEngine {
  /// Opens a store that there is, which other processes open too.
  init(sharing path: String) throws
}

/// A process of its own that commits when it is asked to.
package protocol RemoteWriter {
  /// Has it make the next of the workload's commits.
  ///
  /// - Returns: when its commit had returned, by ``SharedClock``.
  func commit() throws -> UInt64
}
