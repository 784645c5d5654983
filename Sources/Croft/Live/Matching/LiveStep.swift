/// What leads from the commit that the hub shows to a later one, most often the next.
struct LiveStep: Sendable {
  /// The later commit.
  let sequence: UInt64
  /// Where the numbers of models come from.
  let catalog: Catalog
  /// What was done, in order.
  let segments: [CommitSegment]
  /// About how much memory it takes.
  let byteCount: Int

  init(
    to sequence: UInt64, _ catalog: Catalog, _ segments: [CommitSegment], byteCount: Int
  ) {
    self.sequence = sequence
    self.catalog = catalog
    self.segments = segments
    self.byteCount = byteCount
  }

  init(_ record: CommitRecord, for observed: ObservedModels) {
    sequence = record.sequence
    catalog = record.catalog
    segments = record.segments(for: observed)
    byteCount = record.byteCount
  }

  /// What was done to each model that changed, in all parts together.
  var changes: [Int: ModelChange] {
    segments.dropFirst().reduce(into: segments.first?.changes ?? [:]) { changes, segment in
      changes.merge(segment.changes) { $0.followed(by: $1) }
    }
  }
}

extension ModelChange {
  /// This change and a later one as one.
  fileprivate func followed(by later: ModelChange) -> ModelChange {
    guard case .rows(let first) = self, case .rows(let second) = later else { return .unknown }
    var rows = Dictionary(first.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    for change in second {
      let earlier = rows[change.key]
      rows[change.key] = RowChange(
        key: change.key, old: earlier == nil ? change.old : earlier?.old, new: change.new,
        isOldKnown: earlier?.isOldKnown ?? change.isOldKnown)
    }
    return .rows(
      rows.values.filter { !$0.isNothing }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) })
  }
}

extension RowChange {
  /// Whether the row is known to be what it was.
  fileprivate var isNothing: Bool {
    guard isOldKnown else { return false }
    guard let old, let new else { return old == nil && new == nil }
    return old.holdsSame(as: new)
  }
}

/// What is observed, and by whom.
enum LiveSubject: Sendable {
  case query(QueryCore, Schema, any VersionObserver<ResultRows>)
  case row([UInt8], Schema, any VersionObserver<StoredRow?>)
  case commits(CommitObservation)

  var observer: any LiveObserver {
    switch self {
    case .query(_, _, let observer): observer
    case .row(_, _, let observer): observer
    case .commits(let observer): observer
    }
  }

  /// What the observer needs to know of commits.
  func interest(in catalog: Catalog) throws -> ObservedModels.Interest {
    switch self {
    case .query(let core, let schema, _):
      let table = try catalog.table(of: schema)
      if core.readsOwnFieldsOnly { return ObservedModels.Interest(rows: [table.id]) }
      return ObservedModels.Interest(keys: try core.dependencies(table, catalog))
    case .row(_, let schema, _):
      return ObservedModels.Interest(rows: [try catalog.table(of: schema).id])
    case .commits: return ObservedModels.Interest(isOfAll: true)
    }
  }
}
