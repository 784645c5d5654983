internal import Synchronization

/// Enlarges the map of an environment: ahead of need, when it is full, or when the file outgrew it.
///
/// Enlarging moves the map, so it happens only while no transaction of this process runs.
///
/// Threads: any; what changes is in `state`, and the map under the pool's lock.
final class MapGrowth: Sendable {
  private struct State {
    /// How many bytes of the file were in use when growth last failed.
    var attemptedAtBytes = 0
    /// Whether a transaction did not fit and the map could not grow since.
    var isOverdue = false
  }

  /// How long growth waits for short reads when the next transaction needs it.
  private static let longTimeout = Duration.seconds(1)
  /// How long growth ahead of need waits for them; the next writer tries again.
  private static let shortTimeout = Duration.milliseconds(20)
  /// The quarters of the map that may be in use before it grows ahead of need.
  private static let quartersUsedAtMost = 3
  /// The fraction of the map by which the file must have grown before growth is tried again.
  private static let partBetweenAttempts = 16
  /// The factor by which the map becomes larger than needed.
  private static let factor = 2

  private let file: DataFile
  private let handle: EnvironmentHandle
  private let pages: PageMap
  private let readers: ReaderPool
  private let state = ConditionMutex(State())
  /// Whether the C library has lost its map, which makes the environment unusable.
  let isMapLost = Atomic(false)

  init(_ file: DataFile, _ handle: EnvironmentHandle, _ pages: PageMap, _ readers: ReaderPool) {
    self.file = file
    self.handle = handle
    self.pages = pages
    self.readers = readers
  }

  /// The size of the map, and how much of the file is in use.
  ///
  /// The C library reads the numbers from the map, which must not move meanwhile.
  var usage: (mapBytes: Int, usedBytes: Int) { readers.withMapHeld { handle.usage } }

  /// Enlarges the map when three quarters of it are used; for a writer that is about to begin.
  ///
  /// - Parameter usage: The map and what is used of it, read just before.
  func growAheadOfNeed(of usage: (mapBytes: Int, usedBytes: Int)) {
    let (attempted, isOverdue) = state.withLock { ($0.attemptedAtBytes, $0.isOverdue) }
    let most = usage.mapBytes / 4 * Self.quartersUsedAtMost
    guard isOverdue || usage.usedBytes > most else { return }
    // After a failed attempt, the next one is due when the file has grown by a part of the map.
    let next = attempted + usage.mapBytes / Self.partBetweenAttempts
    guard isOverdue || usage.usedBytes > next else { return }
    let timeout = isOverdue ? Self.longTimeout : Self.shortTimeout
    let obstacle = enlarge(toAtLeast: aQuarterMore, timeout: timeout)
    CoverageMark.hit(obstacle == nil ? .mapGrownAhead : .mapGrowthRefused)
    state.withLock { state in
      state.attemptedAtBytes = obstacle == nil ? 0 : usage.usedBytes
      state.isOverdue = state.isOverdue && obstacle != nil
    }
  }

  /// Enlarges the map after a transaction did not fit, or makes the next writer do so.
  func growAfterMapFull() {
    // The pages that a dead process's reader kept can be used again. An error changes nothing.
    _ = handle.clearStaleReaders()
    let obstacle = enlarge(toAtLeast: aQuarterMore, timeout: Self.longTimeout)
    CoverageMark.hit(.mapGrownWhenFull)
    state.withLock { $0.isOverdue = obstacle != nil }
  }

  /// Enlarges the map to what another process made of the file, unless another thread has done so.
  func adopt(for operation: LMDBError.Operation) throws(LMDBError) {
    let least = usage.usedBytes
    let obstacle = enlarge(toAtLeast: least, timeout: Self.longTimeout, unlessItHas: least)
    CoverageMark.hit(.mapGrowthAdopted)
    if let obstacle { throw LMDBError(operation, .mapResized, "\(file.path); \(obstacle)") }
  }

  /// A quarter more than the map has or, when another process has grown the file, than the file has.
  private var aQuarterMore: Int {
    let usage = usage
    return max(usage.mapBytes, usage.usedBytes) / 4 * 5
  }

  /// Enlarges the map to twice what is needed, or as far as the system allows.
  ///
  /// - Parameter enough: A size at which the map is left as it is.
  /// - Returns: What prevented it; nil when nothing did.
  private func enlarge(
    toAtLeast least: Int, timeout: Duration, unlessItHas enough: Int = .max
  ) -> ReaderPool.Obstacle? {
    readers.withNoTransaction(timeout: timeout) {
      let current = handle.usage.mapBytes
      guard current < enough else { return }
      let needed = max(current, least)
      guard let bytes = largestMappable(from: needed * Self.factor, downTo: needed),
        bytes > current
      else { return }
      // By the time that the C library fails, it has unmapped the old map and cannot restore it.
      if handle.setMapSize(bytes) != 0 || !pages.map(handle.usage.mapBytes) {
        isMapLost.store(true, ordering: .relaxed)
      }
    }
  }

  /// The largest size between two that the system would map now; nil when it would map none.
  private func largestMappable(from most: Int, downTo least: Int) -> Int? {
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
