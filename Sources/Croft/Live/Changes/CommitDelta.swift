/// What leads from the commit that the hub shows to a later one, most often the next.
struct CommitDelta: Sendable {
  /// The later commit.
  let sequence: UInt64
  /// Where the numbers of models come from.
  let catalog: Catalog
  /// What was done, in order.
  let segments: [CommitDelta.Part]
  /// About how much memory it takes.
  let byteCount: Int

  init(
    to sequence: UInt64, _ catalog: Catalog, _ segments: [CommitDelta.Part], byteCount: Int
  ) {
    self.sequence = sequence
    self.catalog = catalog
    self.segments = segments
    self.byteCount = byteCount
  }

  init(_ record: PendingCommit, for observed: ObservedRegions) {
    sequence = record.sequence
    catalog = record.catalog
    segments = record.segments(for: observed)
    byteCount = record.byteCount
  }

  /// What was done to each model that changed, in all parts together.
  var changes: [Int: TableDelta] {
    segments.dropFirst().reduce(into: segments.first?.changes ?? [:]) { changes, segment in
      changes.merge(segment.changes) { $0.followed(by: $1) }
    }
  }
}

extension TableDelta {
  /// This change and a later one as one.
  fileprivate func followed(by later: TableDelta) -> TableDelta {
    guard case .rows(let first) = self, case .rows(let second) = later else { return .unknown }
    var rows = Dictionary(first.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    for change in second {
      let earlier = rows[change.key]
      rows[change.key] = RowDelta(
        key: change.key, old: earlier == nil ? change.old : earlier?.old, new: change.new,
        isOldKnown: earlier?.isOldKnown ?? change.isOldKnown)
    }
    return .rows(
      rows.values.filter { !$0.isNothing }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) })
  }
}

extension RowDelta {
  /// Whether the row is known to be what it was.
  fileprivate var isNothing: Bool {
    guard isOldKnown else { return false }
    guard let old, let new else { return old == nil && new == nil }
    return old.holdsSame(as: new)
  }
}

/// What is observed, and by whom.
enum ObserverEntry: Sendable {
  case query(QueryCore, Schema, any ValueObserver<ResultRows>)
  case row([UInt8], Schema, any ValueObserver<StoredRow?>)
  case commits(CommitObservation)

  var observer: any LiveObserver {
    switch self {
    case .query(_, _, let observer): observer
    case .row(_, _, let observer): observer
    case .commits(let observer): observer
    }
  }

  /// What the observer needs to know of commits.
  func region(in catalog: Catalog) throws -> ObservedRegion {
    switch self {
    case .query(let core, let schema, _):
      let table = try catalog.table(of: schema)
      if core.readsOwnFieldsOnly { return ObservedRegion(rows: [table.id]) }
      return ObservedRegion(keys: try core.dependencies(table, catalog))
    case .row(_, let schema, _):
      return ObservedRegion(rows: [try catalog.table(of: schema).id])
    case .commits: return ObservedRegion(isOfAll: true)
    }
  }
}
