// A reader that its process took into death keeps its place in the lock table, and the pages of its
// version, until somebody looks whether that process lives. The C library never does so by itself.
extension EnvironmentCore {
  /// Frees the places of readers whose processes have died; how many those were.
  ///
  /// What is in the way of it is in the way of what comes next too, which then says so.
  @discardableResult
  func reapReaders() -> Int { handle.reapReaders().count }

  /// Looks for readers that have died, for a writer that has yet to begin.
  ///
  /// It is a system call for each process that reads, so that it is done when there were some
  /// commits since, of whatever process, or the file has grown, which it does where pages are kept
  /// from being used again.
  func reapReadersNowAndThen() {
    let (version, usedBytes) = readers.whileMapStays {
      (handle.lastTransaction, handle.usage.usedBytes)
    }
    let isDue = reaping.withLock { last in
      guard
        version - last.version >= Threshold.commitsBetweenReaps.value
          || usedBytes - last.usedBytes >= Threshold.bytesBetweenReaps.value
      else { return false }
      last = Reaping(version: version, usedBytes: usedBytes)
      return true
    }
    if isDue { reapReaders() }
  }
}
