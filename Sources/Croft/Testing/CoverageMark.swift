#if DEBUG || CROFT_SWARM
  import Synchronization
#endif

/// A rare branch of this module, which a test can prove that it reached.
///
/// Release builds leave the marks out, unless they are built with `-D CROFT_SWARM`.
package enum CoverageMark: Int, CaseIterable, Sendable {
  /// Asynchronous writes shared a commit.
  case groupOfWrites
  /// One of the writes that share a commit failed.
  case groupWriteFailed
  /// A bulk insert wrote rows before its end.
  case rowsWrittenEarly
  /// A bulk insert sorted its rows.
  case rowsSorted
  /// An index's pending entries were applied before the commit, because there were many.
  case pendingEntriesFull
  /// An index's pending entries were sorted by radix.
  case indexKeysRadixSorted
  /// An index's pending entries were sorted by comparison.
  case indexKeysCompared
  /// A savepoint undid changes that had been applied to an index's tree.
  case appliedChangesUndone
  /// A savepoint was undone.
  case savepointUndone
  /// A tree got more changes than fit into one batch.
  case batchFull
  /// A tree was emptied and rewritten, because a large part of it changed.
  case treeRewritten
  /// A value too long for its unique index was compared with the values of rows.
  case truncatedUniqueCompared
  /// Two values too long for their unique index were equal.
  case truncatedUniqueConflict
  /// A delete reached objects that refer to another one.
  case cascadeFollowed
  /// A delete was denied by an object that stays.
  case deleteDenied
  /// References to deleted objects were set to nil.
  case referencesNullified
  /// All objects were deleted, to some of which others refer.
  case allDeletedByReferrers
  /// A row of another layout was read.
  case rowTranscoded
  /// A row was migrated.
  case rowsMigrated
  /// An index over many objects was built in steps.
  case indexBuiltInSteps
  /// A unique index could not be built.
  case indexAbandoned
  /// A file was compacted before it was opened.
  case fileCompacted
  /// The values that a column was compared with in an `||` were looked up in a set.
  case equalitiesMerged
  /// A query that had run before found its plans.
  case plansKept
  /// The rows of several plans were united.
  case plansUnited
  /// The rows of two indexes were intersected.
  case plansIntersected
  /// Values of several columns were combined to ranges of an index.
  case rangesMultiplied
  /// A long group was read again, in the other direction.
  case groupReversed
  /// A group of an index was sorted by its rows.
  case groupSorted
  /// Rows past a limit were dropped.
  case sorterPruned
  /// A condition on a reference cleared its cache of results.
  case referenceCacheCleared
  /// A transaction made too many changes of a model to capture them.
  case captureOverflowed
  /// The observers' queue dropped commits, because there were too many.
  case commitQueueOverflowed
  /// A reader of commits missed some, because too many waited for it.
  case commitsMissed
  /// Observers got their first value before the commits that waited were applied.
  case startedAmongCommits
  /// The oldest commits were removed from the log.
  case logTrimmed
  /// The log lacked a commit that an observer needed.
  case logGap
  /// An observer read commits of another process from the log.
  case foreignCommitsRead
  /// A live result was rebuilt because of many changes.
  case resultRebuilt
  /// A limited live query had no more rows past its limit, and was run again.
  case lookaheadExhausted
  /// A limited live result dropped rows far past its limit.
  case resultTrimmed
  /// A closure read more of a model than is recorded by key, so the whole model is observed.
  case regionWidened
  /// A node of a live result was split.
  case nodeSplit
  /// A node of a live result had too few entries and was merged with another.
  case nodesJoined

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
