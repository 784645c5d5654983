import Testing

@testable import Croft

/// A query followed through a store's commits, as a live query is.
final class WatchedQuery<M: Model & Hashable> {
  let live: LiveQuery
  private let store: Store
  private var objects: [M.PrimaryKey: M]
  /// The result at the last call of ``tell()``.
  private(set) var told: ResultRows
  /// How often the query asked to be run.
  private(set) var wishesToRun = 0

  init(_ query: Query<M>, in store: Store) throws {
    self.store = store
    let live = LiveQuery(query.core, M._schema.erased)
    self.live = live
    try store.read { try live.run(in: &$0, at: 0) }
    told = live.results
    objects = try Self.all(in: store)
  }

  /// The objects of the result.
  var results: LiveResults<M> { LiveResults(live.results) }

  /// Commits something, and applies the deltas of the model's rows to the query.
  @discardableResult
  func commit(_ body: (inout WriteTransaction) throws -> Void) throws -> LiveOutcome {
    try store.write(body)
    let before = objects
    objects = try Self.all(in: store)
    let keys = Set(before.keys).union(objects.keys).filter { before[$0] != objects[$0] }
    return try follow(keys.map { (before[$0], objects[$0]) })
  }

  /// Applies deltas to the query, and runs it where it asks for that.
  @discardableResult
  func follow(_ pairs: [(old: M?, new: M?)], isForeign: Bool = false) throws
    -> LiveOutcome
  {
    let layout = try store.read { try $0.catalog.table(of: M._schema.erased).layout }
    let changes = pairs.compactMap { RowDelta($0.old, $0.new, layout, isForeign: isForeign) }
    let outcome = try live.apply(
      changes.sorted { $0.key.lexicographicallyPrecedes($1.key) })
    if outcome == .needsRun {
      wishesToRun += 1
      try store.read { try live.run(in: &$0, at: 0) }
    }
    return outcome
  }

  /// The difference since the last call; nil where there is none.
  func tell() -> ResultDiff? {
    let diff = ResultDiff(from: told, to: live.results)
    told = live.results
    return diff.isEmpty ? nil : diff
  }

  private static func all(in store: Store) throws -> [M.PrimaryKey: M] {
    Dictionary(uniqueKeysWithValues: try store.fetch(M.all).map { ($0._primaryKey, $0) })
  }
}

extension RowDelta {
  /// The delta of an object; nil where there was none before and after.
  init?<M: Model>(_ old: M?, _ new: M?, _ layout: RecordLayout, isForeign: Bool = false) {
    let (old, new) = (old.map { StoredRow($0, layout) }, new.map { StoredRow($0, layout) })
    guard let key = (old ?? new)?.key else { return nil }
    self.init(key: key, old: isForeign ? nil : old, new: new, isOldKnown: !isForeign)
  }
}

extension StoredRow {
  /// The row of an object.
  init<M: Model>(_ object: M, _ layout: RecordLayout) {
    var encoder = _RecordEncoder()
    encoder.encode(object, layout)
    self.init(encoder.view, layout)
  }
}
