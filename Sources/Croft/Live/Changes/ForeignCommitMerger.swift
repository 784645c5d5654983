import LMDB

/// Puts commits together as one step, from the last one back to the first.
struct ForeignCommitMerger {
  private let observed: ObservedRegions
  private let catalog: Catalog
  private let tables: [Int: Table]
  /// What rows were before the commits seen so far, where one of them says so: by model and key.
  private var found: [Int: [[UInt8]: StoredRow?]] = [:]
  /// The last one first.
  private var segments: [CommitDelta.Part] = []
  private var byteCount = 0

  init(for observed: ObservedRegions, _ catalog: Catalog) {
    self.observed = observed
    self.catalog = catalog
    tables = Dictionary(
      catalog.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The step of what was put in front so far.
  func step(to sequence: UInt64) -> CommitDelta {
    CommitDelta(to: sequence, catalog, segments.reversed(), byteCount: byteCount)
  }

  /// Takes notice of a commit that comes after the step.
  mutating func pass(_ record: PendingCommit) {
    for segment in record.segments(for: observed).reversed() { note(segment) }
  }

  /// Puts a commit of the store's own in front.
  mutating func prepend(_ record: PendingCommit) {
    byteCount += record.byteCount
    for segment in record.segments(for: observed).reversed() {
      note(segment)
      segments.append(segment)
    }
  }

  /// Puts a commit in front that the log tells of.
  mutating func prepend(_ commit: LogRecord, in transaction: borrowing ReadTransaction) {
    var changes: [Int: TableDelta] = [:]
    for entry in commit.models { changes[entry.model] = change(entry, in: transaction) }
    segments.append(CommitDelta.Part(skipped: [], changes: changes))
  }

  private mutating func note(_ segment: CommitDelta.Part) {
    for case (let model, .rows(let rows)) in segment.changes {
      for row in rows { found[model, default: [:]].updateValue(row.old, forKey: row.key) }
    }
  }

  private func change(
    _ entry: LogRecord.ModelKeys, in transaction: borrowing ReadTransaction
  ) -> TableDelta {
    if entry.keys.isEmpty { return .unknown }
    guard observed.detail(of: entry.model) == .rows, let table = tables[entry.model] else {
      return .keys(entry.keys)
    }
    do {
      var rows: [RowDelta] = []
      for key in entry.keys {
        let row =
          try found[entry.model]?[key] ?? table.storedRow(key, in: transaction.base)
        rows.append(RowDelta(key: key, old: nil, new: row, isOldKnown: false))
      }
      return .rows(rows)
    } catch {
      // Who holds the row reads it, and is told why it cannot be read.
      return .unknown
    }
  }
}

extension Table {
  /// A copy of the row of a key; nil where there is none.
  func storedRow(
    _ key: [UInt8], in transaction: borrowing some Transaction & ~Copyable
  ) throws -> StoredRow? {
    let arena = RowArena()
    return try unsafe key.withUnsafeBytes { key in
      // Safety: the row is copied while the transaction lends it.
      try unsafe row(key, in: transaction, arena).map { row in
        try row.checkSum(layout)
        return StoredRow(row, layout)
      }
    }
  }
}
