/// The limits at which this module switches to another way of working; one per case.
///
/// Release builds have the standard values as constants. Debug builds, and those with
/// `-D CROFT_SWARM`, let a test set them low, so that a few objects exceed them.
package enum Threshold: Int, CaseIterable, Sendable {
  /// The most asynchronous writes that share a commit.
  case writesPerGroup
  /// The bytes of an index's pending entries past which they are applied before the commit.
  case pendingEntryBytes
  /// The capacity for keys that an empty list of pending entries keeps.
  case keptPendingEntryBytes
  /// The bits of the hash after a truncated key.
  case truncatedKeyHashBits
  /// The longest key that is sorted byte by byte.
  case radixKeyBytes
  /// The fewest keys that are sorted byte by byte.
  case radixKeys
  /// The sorted changes that are applied to a tree in one batch.
  case changesPerBatch
  /// The deletions from a tree from which on it may be rewritten.
  case deletionsToRewrite
  /// The rows for each deletion up to which a tree is rewritten.
  case rowsPerDeletion
  /// The most bytes of a tree that is rewritten, which are in memory meanwhile.
  case bytesRewritten
  /// The most objects over which an index is built at once.
  case rowsIndexedAtOnce
  /// The rows that a step of building an index reads.
  case rowsPerIndexStep
  /// The bytes of entries that a step of building an index sorts.
  case bytesPerIndexStep
  /// The most rows that wait for a number of an index for searches.
  case waitingTextRows
  /// The most bytes of the texts of such rows.
  case waitingTextBytes
  /// How many segments of an index for searches become one.
  case segmentsPerMerge
  /// The most bytes of a block of postings.
  case postingBlockBytes
  /// The fewest bytes of postings that a flush moves to a merged segment.
  case movedPostingBytes
  /// The most bytes for which a new buffer has room before it grows.
  case bufferBytes
  /// The size of a piece of memory for rows of other layouts.
  case arenaBytes
  /// The bytes of a bulk insert's rows in order, after which they are written.
  case ascendingRowBytes
  /// The bytes of a bulk insert's other rows, after which they are written.
  case sortedRowBytes
  /// The most rows that conditions are tested on at a time.
  case rowsPerBatch
  /// The fewest values that a column is compared with in an `||` for which they are looked up in a set.
  case equalitiesPerSet
  /// The most objects for which an array has room before they are fetched.
  case expectedRows
  /// The rows past a limit that are sorted before the last are dropped.
  case rowsPastLimit
  /// The most ranges of an index that values of several columns make.
  case rangesPerIndex
  /// The entries of a group that are read in reverse before the group is read again, forward.
  case entriesPerReversedGroup
  /// The most results that a condition on a reference caches, one per object.
  case cachedReferenceResults
  /// The most commits in the log.
  case loggedCommits
  /// The most bytes in the log.
  case loggedBytes
  /// The most bytes of keys in a record of the log.
  case loggedKeyBytes
  /// The bytes of a transaction's changes past which they are not captured for observers.
  case capturedChangeBytes
  /// The bytes of a transaction's changes of replicated models, after which they are put into the outbox.
  case keptChangeBytes
  /// The most bytes of commits in the observers' queue.
  case queuedCommitBytes
  /// The commits that are applied before observers start among them.
  case commitsBetweenStarts
  /// The commits that wait for a reader of commits.
  case waitingCommits
  /// The bytes of the commits that wait for a reader of commits.
  case waitingBytes
  /// The changes of one commit past which a live result may be rebuilt.
  case changesForRebuild
  /// The rows that a limited live query keeps past its limit.
  case lookaheadRows
  /// The keys and conditions of a model past which an observed closure counts as reading all of it.
  case partsOfRegion
  /// The most units of a calendar whose beginnings an expression keeps.
  case keptDateUnits
  /// The most schemas of a model that the catalog remembers.
  case knownSchemasPerModel
  /// The runtimes that an index remembers to have its data.
  case runtimesPerDataVersion
  /// The most entries of a node of a live result.
  case entriesPerNode

  /// The least value that works, and the value of a release build.
  @inline(__always)
  private var bounds: (least: Int, standard: Int) {
    switch self {
    case .writesPerGroup: (1, 1024)
    case .pendingEntryBytes: (0, 64 << 20)
    case .keptPendingEntryBytes: (0, 64 << 10)
    case .truncatedKeyHashBits: (0, 128)
    case .radixKeyBytes: (0, 40)
    case .radixKeys: (0, 64)
    case .changesPerBatch: (1, 4096)
    case .deletionsToRewrite: (1, 256)
    case .rowsPerDeletion: (0, 2)
    case .bytesRewritten: (0, 64 << 20)
    case .rowsIndexedAtOnce: (0, 1 << 16)
    case .rowsPerIndexStep: (1, 1 << 18)
    case .bytesPerIndexStep: (1, 16 << 20)
    case .waitingTextRows: (0, 256)
    case .waitingTextBytes: (0, 64 << 10)
    case .segmentsPerMerge: (2, 8)
    // A posting has up to ten bytes, and what a block has before it eight.
    case .postingBlockBytes: (20, 980)
    case .movedPostingBytes: (1, 64 << 10)
    case .bufferBytes: (0, 1 << 20)
    case .arenaBytes: (16, 64 << 10)
    case .ascendingRowBytes: (0, 64 << 10)
    case .sortedRowBytes: (0, 16 << 20)
    case .rowsPerBatch: (1, 256)
    case .equalitiesPerSet: (2, 16)
    case .expectedRows: (0, 1 << 17)
    case .rowsPastLimit: (0, 256)
    case .rangesPerIndex: (1, 256)
    case .entriesPerReversedGroup: (0, 64)
    case .cachedReferenceResults: (1, 1 << 16)
    case .loggedCommits: (1, 4096)
    case .loggedBytes: (0, 4 << 20)
    case .loggedKeyBytes: (0, 16 << 10)
    case .capturedChangeBytes: (0, 64 << 20)
    case .keptChangeBytes: (0, 1 << 20)
    case .queuedCommitBytes: (0, 64 << 20)
    case .commitsBetweenStarts: (1, 64)
    case .waitingCommits: (1, 1024)
    case .waitingBytes: (0, 64 << 20)
    case .changesForRebuild: (0, 64)
    case .lookaheadRows: (1, 64)
    case .partsOfRegion: (0, 256)
    case .keptDateUnits: (1, 4096)
    case .knownSchemasPerModel: (1, 256)
    case .runtimesPerDataVersion: (1, 8)
    // A node with fewer entries could not be split into two that are full enough.
    case .entriesPerNode: (6, 16)
    }
  }

  /// The values that a test may set.
  package var range: ClosedRange<Int> { bounds.least...bounds.standard }

  #if DEBUG || CROFT_SWARM
    // Set before a store is open, and only read from then on.
    private nonisolated(unsafe) static var values = allCases.map(\.bounds.standard)

    /// The current value; settable while no store is open.
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
