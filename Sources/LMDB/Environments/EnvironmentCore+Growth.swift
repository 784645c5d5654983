internal import Synchronization

// The map is enlarged between transactions only: moving it under one that is alive would pull
// its bytes away.
extension EnvironmentCore {
  /// The size of the map, and how much of the file is used.
  ///
  /// The numbers stand in the map, which must not move while they are read.
  var usage: (mapBytes: Int, usedBytes: Int) { readers.whileMapStays { handle.usage } }

  /// Enlarges the map when three quarters of it are used; for a writer that has yet to begin.
  func growAheadOfNeed() {
    let usage = usage
    let (attempted, isOverdue) = growth.withLock { ($0.attemptedAtBytes, $0.isOverdue) }
    let most = usage.mapBytes / 4 * Bounds.quartersUsedAtMost
    guard isOverdue || usage.usedBytes > most else { return }
    // After a failed attempt, the next one comes when the file has grown by a part of the map.
    let next = attempted + usage.mapBytes / Bounds.partBetweenAttempts
    guard isOverdue || usage.usedBytes > next else { return }
    let patience = isOverdue ? Bounds.patience : Bounds.shortPatience
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
    reapReaders()
    let obstacle = enlarge(toAtLeast: aQuarterMore, patience: Bounds.patience)
    CoverageMark.hit(.mapGrownWhenFull)
    growth.withLock { $0.isOverdue = obstacle != nil }
  }

  /// Enlarges the map to what another process made of the file, unless another thread has done so.
  func adoptGrowth(for operation: LMDBError.Operation) throws(LMDBError) {
    let least = usage.usedBytes
    let obstacle = enlarge(toAtLeast: least, patience: Bounds.patience, unlessItHas: least)
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
  ///
  /// - Parameter enough: A size with which the map may stay as it is.
  private func enlarge(
    toAtLeast least: Int, patience: Duration, unlessItHas enough: Int = .max
  ) -> ReaderPool.Obstacle? {
    readers.whileAlone(patience: patience) {
      let current = handle.usage.mapBytes
      guard current < enough else { return }
      let needed = max(current, least)
      guard let bytes = affordable(from: needed * Bounds.growthFactor, downTo: needed),
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
