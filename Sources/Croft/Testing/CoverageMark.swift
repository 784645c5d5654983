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
  /// An index's changes were applied before the commit, because they were many.
  case indexBufferFull
  /// An index's changes were sorted byte by byte.
  case indexKeysRadixSorted
  /// An index's changes were sorted by comparing.
  case indexKeysCompared
  /// A savepoint took back changes of an index that its tree had.
  case appliedChangesUndone
  /// A savepoint was undone.
  case savepointUndone
  /// More steps than one batch takes went into a tree.
  case batchFull
  /// A value too long for its index was looked for in the rows.
  case uniqueCutCompared
  /// Two values too long for their index were the same.
  case uniqueCutClash
  /// A delete reached objects that refer to another one.
  case cascadeFollowed
  /// A delete was denied by an object that stays.
  case deleteDenied
  /// References to deleted objects were taken away.
  case referencesNullified
  /// All objects were deleted, to some of which others refer.
  case allDeletedByReferrers
  /// A row of another layout was read.
  case rowTranscoded
  /// A row was migrated.
  case rowsMigrated
  /// A step of an index over many objects was built.
  case indexBuiltInSteps
  /// A unique index could not be built.
  case indexAbandoned
  /// A file was compacted before it was opened.
  case fileCompacted
  /// Several plans' rows were united.
  case plansUnited
  /// Values of several columns made ranges of an index.
  case rangesMultiplied
  /// A long group was read anew, in the other direction.
  case groupTurned
  /// A group of an index was sorted by its rows.
  case groupSorted
  /// Rows past a limit were dropped.
  case sorterPruned
  /// A condition on a link forgot its verdicts.
  case verdictsForgotten
  /// A transaction's changes of a model were too many to keep.
  case journalForgot
  /// Commits that waited for the observers were too many to keep.
  case inboxDropped
  /// Commits that waited for a reader were too many to keep.
  case commitsMissed
  /// The oldest commits went from the log.
  case logTrimmed
  /// The log lacked a commit that an observer wanted.
  case logGap
  /// An observer read others' commits from the log.
  case foreignCommitsRead
  /// A live result was built anew for many changes.
  case resultRebuilt
  /// A limited live result had to be run again.
  case reserveDry
  /// A limited live result dropped rows far behind its window.
  case resultTrimmed
  /// A node of a live result became two.
  case nodeSplit
  /// A node of a live result had too few entries.
  case nodesJoined

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
