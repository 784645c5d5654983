/// The limits at which this module switches to another way of working; one per case.
///
/// Release builds have the standard values as constants. Debug builds, and those with
/// `-D CROFT_SWARM`, let a test set them low, so that a few rows exceed them.
package enum Threshold: Int, CaseIterable, Sendable {
  /// The most rows of a scan's block.
  case rowsPerBlock
  /// The rows of a scan's first block.
  case rowsInFirstBlock
  /// The most rows that a cursor reads past the end of a range.
  case rowsPastRange
  /// The changes of a batch after which the next row of the tree is looked at, which is a search.
  case changesPerLook
  /// The bytes of rows put between two neighbours from which on the later ones are moved.
  case bytesBetweenRows
  /// The most idle readers of the pool, where the lock table has many slots.
  case idleReaders
  /// The pages of a file whose leaf pages are no longer checked before the first write.
  case fullyCheckedPages
  /// The commits, of all processes, after which a writer clears stale readers.
  case commitsBetweenReaderChecks
  /// The bytes of growth after which a writer clears stale readers.
  case bytesBetweenReaderChecks
  /// The commits after which the journal's writer makes a checkpoint.
  case commitsBetweenCheckpoints
  /// The most bytes of a record of the journal; the pages of a larger transaction are synced.
  case recordBytes

  /// The least value that works, and the value of a release build.
  @inline(__always)
  private var bounds: (least: Int, standard: Int) {
    switch self {
    // The first row is read before the others, so there is room for it and one more.
    case .rowsPerBlock: (2, 256)
    case .rowsInFirstBlock: (2, 16)
    case .rowsPastRange: (1, 16)
    case .changesPerLook: (1, 32)
    case .bytesBetweenRows: (1, 16 << 10)
    case .fullyCheckedPages: (1, 1 << 16)
    case .idleReaders: (0, 8)
    case .commitsBetweenReaderChecks: (1, 64)
    case .bytesBetweenReaderChecks: (1, 1 << 20)
    case .commitsBetweenCheckpoints: (1, 256)
    case .recordBytes: (1, 1 << 18)
    }
  }

  /// The values that a test may set.
  package var range: ClosedRange<Int> { bounds.least...bounds.standard }

  #if DEBUG || CROFT_SWARM
    // Set before a store is open, and only read from then on.
    private nonisolated(unsafe) static var values = allCases.map(\.bounds.standard)

    /// The current value; settable while no environment is open.
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
