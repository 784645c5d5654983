/// A number at which this module takes another path; one per case.
///
/// Release builds have the standard values as constants. Debug builds, and those with
/// `-D CROFT_SWARM`, let a test set them low, so that a few rows cross them.
package enum Threshold: Int, CaseIterable, Sendable {
  /// The most rows that a scan hands out at a time.
  case rowsPerBlock
  /// The rows that a scan hands out first.
  case rowsInFirstBlock
  /// How many rows past the end of a range a cursor reads at most.
  case rowsPastRange
  /// How many readers rest at most where places abound.
  case idleReaders
  /// The pages from which on the leaves of a file are not looked at before the first write.
  case pagesOfLargeFile
  /// After how many commits, of all processes, a writer looks for readers that have died.
  case commitsBetweenReaps
  /// By how many bytes the file grows before a writer looks for them.
  case bytesBetweenReaps

  /// The least value that works, and the one that a program has.
  @inline(__always)
  private var bounds: (least: Int, standard: Int) {
    switch self {
    // The first row is read before the others, so there is room for it and one more.
    case .rowsPerBlock: (2, 256)
    case .rowsInFirstBlock: (2, 16)
    case .rowsPastRange: (1, 16)
    case .pagesOfLargeFile: (1, 1 << 16)
    case .idleReaders: (0, 8)
    case .commitsBetweenReaps: (1, 64)
    case .bytesBetweenReaps: (1, 1 << 20)
    }
  }

  /// The values that a test may set.
  package var range: ClosedRange<Int> { bounds.least...bounds.standard }

  #if DEBUG || CROFT_SWARM
    // Set before a store is open, and only read from then on.
    private nonisolated(unsafe) static var values = allCases.map(\.bounds.standard)

    /// The value at hand; settable while no environment is open.
    package var value: Int {
      // Safety: see `values`.
      get { unsafe Self.values[rawValue] }
      nonmutating set {
        precondition(range.contains(newValue), "\(self) takes \(range).")
        unsafe Self.values[rawValue] = newValue
      }
    }
  #else
    /// The value, a constant.
    @inline(__always)
    package var value: Int { bounds.standard }
  #endif
}
