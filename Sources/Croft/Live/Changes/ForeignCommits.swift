import LMDB
import Synchronization

/// The changes since the hub's position, where another store or process committed among them.
///
/// The log has the keys of a commit of another store. The rows are those of the last commit, or the
/// old rows of the next own commit that changed the same key. So no change of a later commit is delivered
/// early.
struct ForeignCommits {
  /// What is known of the commits up to the last one of another store.
  enum Content {
    /// All commits are the store's own.
    case none
    /// One delta for all of them, because they cannot be distinguished.
    case delta(CommitDelta)
    /// The log has a gap.
    case unknown
  }

  let content: Content
  /// The store's own commits after them.
  let later: ArraySlice<LiveHub.PendingCommit>

  /// Reads the log.
  ///
  /// - Parameters:
  ///   - position: The hub's last commit.
  ///   - last: The commit that the transaction sees.
  ///   - own: The store's own commits after the position, in order.
  ///   - observed: What the observers need of each model.
  init(
    after position: UInt64, through last: UInt64, own: ArraySlice<LiveHub.PendingCommit>,
    for observed: ObservedRegions, in transaction: borrowing ReadTransaction
  ) throws {
    let visible = own.filter { $0.sequence > position && $0.sequence <= last }
    let foreign =
      UInt64(visible.count) == last - position
      ? []
      : try (transaction.catalog.log ?? CommitLog(in: transaction.base))?.commits(
        after: position, through: last, except: Set(visible.map(\.sequence)), in: transaction.base)
    guard let foreign else {
      CoverageMark.hit(.logGap)
      (content, later) = (.unknown, own)
      return
    }
    let end = foreign.last?.sequence ?? position
    later = own.drop { $0.sequence <= end }
    guard end > position else {
      content = .none
      return
    }
    CoverageMark.hit(.foreignCommitsRead)
    var merger = ForeignCommitMerger(for: observed, transaction.catalog)
    for commit in later.reversed() where commit.sequence <= last { merger.noteLater(commit) }
    var among = visible.filter { $0.sequence < end }[...]
    for record in foreign.reversed() {
      while let commit = among.last, commit.sequence > record.sequence {
        merger.prepend(commit)
        among.removeLast()
      }
      merger.prepend(record, in: transaction)
    }
    for commit in among.reversed() { merger.prepend(commit) }
    content = .delta(merger.delta(to: end))
  }
}

extension LiveHub {
  /// Advances the state through commits of others, to the last commit.
  ///
  /// - Parameter own: Commits of this store after those of others, or among them.
  /// - Returns: The commits of this store that remain to be applied; nil where an expected commit
  ///   must come first, for which the given ones are put back.
  func applyForeignCommits(
    to state: inout LiveState, _ own: ArraySlice<LiveHub.PendingCommit>, _ store: Store
  ) -> ArraySlice<LiveHub.PendingCommit>? {
    let position = state.position
    var own = own
    do {
      let commits = try store.readLive { transaction, last -> ForeignCommits? in
        guard let all = takeMore(own, through: last, for: &state) else { return nil }
        own = all
        let commits = try ForeignCommits(
          after: position, through: last, own: own, for: observed, in: transaction)
        if case .delta(let delta) = commits.content {
          state.apply(delta, in: &transaction, at: last, store)
        }
        return commits
      }
      guard let commits else { return nil }
      if case .unknown = commits.content { state.runAll(store) }
      return commits.later
    } catch  where StoreError.isPassing(error) {
      state.retryReason = error
      requeue(own)
      return nil
    } catch {
      state.runAll(store)
      return []
    }
  }

  /// Adds the commits that arrived since to those taken before; nil where one is expected first.
  ///
  /// New observers of commits are added as well: some of these commits may be for them.
  private func takeMore(
    _ own: ArraySlice<LiveHub.PendingCommit>, through last: UInt64, for state: inout LiveState
  ) -> ArraySlice<LiveHub.PendingCommit>? {
    incoming.withLock { incoming in
      guard !incoming.pending.expects(through: last) else {
        for commit in own { incoming.pending.add(commit) }
        return nil
      }
      for (observer, last) in incoming.newCommitObservers { state.add(observer, after: last) }
      incoming.newCommitObservers = []
      return own + incoming.pending.take()
    }
  }
}

/// Merges own commits and those of others into one delta, from the last commit back to the first.
struct ForeignCommitMerger {
  private let observed: ObservedRegions
  private let catalog: Catalog
  private let tables: [Int: Table]
  /// The old rows of the own commits seen so far, by model and key: commits of others left them.
  private var oldRows: [Int: [[UInt8]: StoredRow?]] = [:]
  /// The last one first.
  private var parts: [[Int: TableDelta]] = []
  private var byteCount = 0

  init(for observed: ObservedRegions, _ catalog: Catalog) {
    self.observed = observed
    self.catalog = catalog
    tables = Dictionary(
      catalog.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func delta(to sequence: UInt64) -> CommitDelta {
    CommitDelta(
      sequence: sequence, catalog: catalog, parts: parts.reversed(), byteCount: byteCount)
  }

  /// Notes the old rows of an own commit after the delta.
  mutating func noteLater(_ commit: LiveHub.PendingCommit) {
    noteOldRows(CommitDelta.tables(of: commit, for: observed))
  }

  mutating func prepend(_ commit: LiveHub.PendingCommit) {
    byteCount += commit.byteCount
    let tables = CommitDelta.tables(of: commit, for: observed)
    noteOldRows(tables)
    parts.append(tables)
  }

  mutating func prepend(_ record: LogRecord, in transaction: borrowing ReadTransaction) {
    var deltas: [Int: TableDelta] = [:]
    for entry in record.models { deltas[entry.model] = delta(of: entry, in: transaction) }
    parts.append(deltas)
  }

  private mutating func noteOldRows(_ tables: [Int: TableDelta]) {
    for case (let model, .rows(let rows)) in tables {
      for row in rows { oldRows[model, default: [:]].updateValue(row.old, forKey: row.key) }
    }
  }

  private func delta(
    of entry: LogRecord.ModelKeys, in transaction: borrowing ReadTransaction
  ) -> TableDelta {
    if entry.keys.isEmpty { return .unknown }
    guard observed.detail(of: entry.model) == .rows, let table = tables[entry.model] else {
      return .keys(entry.keys)
    }
    do {
      var rows: [RowDelta] = []
      for key in entry.keys {
        let row =
          try oldRows[entry.model]?[key] ?? table.storedRow(key, in: transaction.base)
        rows.append(RowDelta(key: key, old: nil, new: row, isOldKnown: false))
      }
      return .rows(rows)
    } catch {
      // Each query that has the row reads it again, and fails with the error.
      return .unknown
    }
  }
}
