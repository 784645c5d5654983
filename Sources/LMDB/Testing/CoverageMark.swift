#if DEBUG || CROFT_SWARM
  internal import Synchronization
#endif

/// A rare branch of this module, which a test can prove that it reached.
///
/// Release builds leave the marks out, unless they are built with `-D CROFT_SWARM`.
package enum CoverageMark: Int, CaseIterable, Sendable {
  /// The map was enlarged before it was full.
  case mapGrownAhead
  /// The map was enlarged because a transaction did not fit.
  case mapGrownWhenFull
  /// The map was enlarged because another process had grown the file.
  case mapGrowthAdopted
  /// The map could not be enlarged ahead of need.
  case mapGrowthRefused
  /// A reader was ended because the pool had enough idle ones.
  case idleReaderEnded
  /// Reader slots of dead processes were cleared for a new reader.
  case staleReadersCleared
  /// A writer opened a tree at its first use.
  case treeOpenedAtFirstUse
  /// Rows were deleted and put again, so that pages with many new rows before them are full.
  case rowsMovedForPuts
  /// The rows of a page were counted without reading each.
  case pageCounted

  #if DEBUG || CROFT_SWARM
    private static let reached = Atomic<UInt64>(0)

    /// Records that the branch was taken.
    static func hit(_ mark: CoverageMark) {
      reached.bitwiseOr(1 << UInt64(mark.rawValue), ordering: .relaxed)
    }

    /// Whether the branch was taken in this process.
    package var isReached: Bool {
      Self.reached.load(ordering: .relaxed) >> UInt64(rawValue) & 1 == 1
    }
  #else
    @inline(__always)
    static func hit(_ mark: CoverageMark) {}
  #endif
}
