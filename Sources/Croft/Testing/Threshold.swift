/// A number at which this module takes another path; one per case.
///
/// Release builds have the standard values as constants. Debug builds, and those with
/// `-D CROFT_SWARM`, let a test set them low, so that a few objects cross them.
package enum Threshold: Int, CaseIterable, Sendable {
  /// The most asynchronous writes that share a commit.
  case writesPerGroup
  /// The bytes of an index's changes past which they are applied before the commit.
  case indexBufferBytes
  /// The room for keys that an empty index buffer keeps.
  case keptIndexBufferBytes
  /// The bits of the hash behind a cut key.
  case cutHashBits
  /// The longest key that is sorted byte by byte.
  case radixKeyBytes
  /// The sorted steps that go into a tree at a time.
  case stepsPerBatch
  /// The most objects over which an index is built at once.
  case rowsIndexedAtOnce
  /// The rows that a step of building an index reads.
  case rowsPerIndexStep
  /// The bytes of entries that a step of building an index sorts.
  case bytesPerIndexStep
  /// The size of a piece of memory for rows of other layouts.
  case arenaBytes
  /// The bytes of a bulk insert's rows in order, after which they are written.
  case ascendingRowBytes
  /// The bytes of a bulk insert's other rows, after which they are written.
  case sortedRowBytes
  /// The most rows that conditions are tested on at a time.
  case rowsPerBatch
  /// The rows past a limit that are sorted before the last are dropped.
  case rowsPastLimit
  /// The most ranges of an index that values of several columns make.
  case rangesPerIndex
  /// The entries of a group that is read against its order before it is read anew.
  case entriesPerTurn
  /// The objects whose verdicts a condition on a link remembers.
  case linkVerdicts
  /// The most commits in the log.
  case loggedCommits
  /// The most bytes in the log.
  case loggedBytes
  /// The most bytes of keys in a record of the log.
  case loggedKeyBytes
  /// The bytes of a transaction's changes past which they are not kept for observers.
  case journalBytes
  /// The bytes of commits that wait for the observers' queue.
  case inboxBytes
  /// The commits that wait for a reader of commits.
  case waitingCommits
  /// The bytes of the commits that wait for a reader of commits.
  case waitingBytes
  /// The changes of one commit past which a live result may be built anew.
  case changesForRebuild
  /// The rows that a limited live query keeps behind its window.
  case rowsInReserve
  /// The most forms of a model that the catalog remembers.
  case formsPerModel
  /// The most entries of a node of a live result.
  case entriesPerNode

  /// The least value that works, and the one that a program has.
  @inline(__always)
  private var bounds: (least: Int, standard: Int) {
    switch self {
    case .writesPerGroup: (1, 1024)
    case .indexBufferBytes: (0, 64 << 20)
    case .keptIndexBufferBytes: (0, 64 << 10)
    case .cutHashBits: (0, 128)
    case .radixKeyBytes: (0, 40)
    case .stepsPerBatch: (1, 4096)
    case .rowsIndexedAtOnce: (0, 1 << 16)
    case .rowsPerIndexStep: (1, 1 << 18)
    case .bytesPerIndexStep: (1, 16 << 20)
    case .arenaBytes: (16, 64 << 10)
    case .ascendingRowBytes: (0, 64 << 10)
    case .sortedRowBytes: (0, 16 << 20)
    case .rowsPerBatch: (1, 256)
    case .rowsPastLimit: (0, 256)
    case .rangesPerIndex: (1, 256)
    case .entriesPerTurn: (0, 64)
    case .linkVerdicts: (1, 1 << 16)
    case .loggedCommits: (1, 4096)
    case .loggedBytes: (0, 4 << 20)
    case .loggedKeyBytes: (0, 16 << 10)
    case .journalBytes: (0, 64 << 20)
    case .inboxBytes: (0, 64 << 20)
    case .waitingCommits: (1, 1024)
    case .waitingBytes: (0, 64 << 20)
    case .changesForRebuild: (0, 64)
    case .rowsInReserve: (1, 64)
    case .formsPerModel: (1, 256)
    // A node of fewer could not be parted in two that are full enough.
    case .entriesPerNode: (6, 16)
    }
  }

  /// The values that a test may set.
  package var range: ClosedRange<Int> { bounds.least...bounds.standard }

  #if DEBUG || CROFT_SWARM
    // Set before a store is open, and only read from then on.
    private nonisolated(unsafe) static var values = allCases.map(\.bounds.standard)

    /// The value at hand; settable while no store is open.
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
