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
  /// A reader ended because enough of them rest.
  case readerDropped
  /// Places of dead processes were freed for a reader.
  case readersReaped
  /// A reader opened a tree that another process had made.
  case treeOpenedAside
  /// The rows of a page were counted at once.
  case pageCounted

  #if DEBUG || CROFT_SWARM
    private static let reached = Atomic<UInt64>(0)

    /// Notes that the branch was taken.
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
