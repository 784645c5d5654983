internal import Synchronization

// The map is enlarged between transactions only: moving it under one that is alive would pull
// its bytes away.
extension EnvironmentCore {
  /// How long growing ahead of need waits for short reads; there will be another occasion.
  private static let shortPatience = Duration.milliseconds(20)

  /// The size of the map, and how much of the file is used.
  ///
  /// The numbers stand in the map, which must not move while they are read.
  var usage: (mapBytes: Int, usedBytes: Int) { readers.whileMapStays { handle.usage } }

  /// Enlarges the map when three quarters of it are used; for a writer that has yet to begin.
  func growAheadOfNeed() {
    let usage = usage
    let (attempted, isOverdue) = growth.withLock { ($0.attemptedAtBytes, $0.isOverdue) }
    guard isOverdue || usage.usedBytes > usage.mapBytes / 4 * 3 else { return }
    // After a failed attempt, the next one comes when the file has grown by a sixteenth of the map.
    guard isOverdue || usage.usedBytes > attempted + usage.mapBytes / 16 else { return }
    let patience = isOverdue ? Self.patience : Self.shortPatience
    let obstacle = enlarge(toAtLeast: aQuarterMore, patience: patience)
    CoverageMark.hit(obstacle == nil ? .mapGrownAhead : .mapGrowthRefused)
    growth.withLock { growth in
      growth.attemptedAtBytes = obstacle == nil ? 0 : usage.usedBytes
      growth.isOverdue = growth.isOverdue && obstacle != nil
    }
  }

  /// Enlarges the map after a transaction did not fit, or sees to it that the next writer does.
  func growAfterMapFull() {
    // The pages that a dead process's reader pinned can be used again; failing is no worse than
    // not trying.
    _ = handle.reapReaders()
    let obstacle = enlarge(toAtLeast: aQuarterMore, patience: Self.patience)
    CoverageMark.hit(.mapGrownWhenFull)
    growth.withLock { $0.isOverdue = obstacle != nil }
  }

  /// Enlarges the map to what another process made of the file.
  func adoptGrowth(for operation: LMDBError.Operation) throws(LMDBError) {
    let obstacle = enlarge(toAtLeast: usage.usedBytes, patience: Self.patience)
    CoverageMark.hit(.mapGrowthAdopted)
    if let obstacle { throw LMDBError(operation, .mapResized, "\(path); \(obstacle)") }
    try checkUsable(for: operation)
  }

  /// The map's size or, when another process has grown the file, the file's, and a quarter of it.
  private var aQuarterMore: Int {
    let usage = usage
    return max(usage.mapBytes, usage.usedBytes) / 4 * 5
  }

  /// Enlarges the map to twice what is needed, or as far as it goes; what was in the way, if
  /// anything.
  private func enlarge(toAtLeast least: Int, patience: Duration) -> ReaderPool.Obstacle? {
    readers.whileAlone(patience: patience) {
      let current = handle.usage.mapBytes
      guard let bytes = affordable(from: max(current, least) * 2, downTo: max(current, least)),
        bytes > current
      else { return }
      // The C library has given the old map away by the time it fails, and cannot get it back.
      if handle.setMapSize(bytes) != 0 || !pages.map(handle.usage.mapBytes) {
        isBroken.store(true, ordering: .relaxed)
      }
    }
  }

  /// The largest size that the system would map now, between two; nil when it is none.
  private func affordable(from most: Int, downTo least: Int) -> Int? {
    var bytes = EnvironmentCore.wholePages(most)
    while bytes >= least {
      // The file is mapped twice, and both mappings become larger.
      if file.canMap(max(bytes, 2 * (bytes - handle.usage.mapBytes))) { return bytes }
      let next = EnvironmentCore.wholePages(least + (bytes - least) / 2)
      if next >= bytes { break }
      bytes = next
    }
    return nil
  }
}
