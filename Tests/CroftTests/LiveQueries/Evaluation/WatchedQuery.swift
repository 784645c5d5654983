import Testing

@testable import Croft

/// A query followed through a store's commits, as a live query is.
final class WatchedQuery<M: Model & Hashable> {
  let evaluator: QueryEvaluator
  private let store: Store
  private var objects: [M.PrimaryKey: M]
  /// What was told last.
  private(set) var told: ResultRows
  /// How often the evaluator asked to be run.
  private(set) var wishesToRun = 0

  init(_ query: Query<M>, in store: Store) throws {
    self.store = store
    let evaluator = QueryEvaluator(query.core, M._schema.erased)
    self.evaluator = evaluator
    try store.read { try evaluator.run(in: $0) }
    told = evaluator.results
    objects = try Self.all(in: store)
  }

  /// The objects of the result.
  var results: LiveResults<M> { LiveResults(evaluator.results) }

  /// Commits something, and hands what became of the model's rows to the evaluator.
  @discardableResult
  func commit(_ body: (inout WriteTransaction) throws -> Void) throws -> QueryEvaluator.Outcome {
    try store.write(body)
    let before = objects
    objects = try Self.all(in: store)
    let keys = Set(before.keys).union(objects.keys).filter { before[$0] != objects[$0] }
    return try follow(keys.map { (before[$0], objects[$0]) })
  }

  /// Hands changes to the evaluator, and runs it where it asks for that.
  @discardableResult
  func follow(_ pairs: [(old: M?, new: M?)], isForeign: Bool = false) throws
    -> QueryEvaluator.Outcome
  {
    let layout = try store.read { try $0.catalog.table(of: M._schema.erased).layout }
    let changes = pairs.compactMap { RowDelta($0.old, $0.new, layout, isForeign: isForeign) }
    let outcome = try evaluator.apply(
      changes.sorted { $0.key.lexicographicallyPrecedes($1.key) })
    if outcome == .needsRun {
      wishesToRun += 1
      try store.read { try evaluator.run(in: $0) }
    }
    return outcome
  }

  /// What happened since the last time it was told; nil where nothing did.
  func tell() -> ResultDiff? {
    let diff = ResultDiff(from: told, to: evaluator.results)
    told = evaluator.results
    return diff.isEmpty ? nil : diff
  }

  private static func all(in store: Store) throws -> [M.PrimaryKey: M] {
    Dictionary(uniqueKeysWithValues: try store.fetch(M.all).map { ($0._primaryKey, $0) })
  }
}

extension RowDelta {
  /// What a commit did to an object; nil where there was none before and after.
  init?<M: Model>(_ old: M?, _ new: M?, _ layout: RowLayout, isForeign: Bool = false) {
    let (old, new) = (old.map { StoredRow($0, layout) }, new.map { StoredRow($0, layout) })
    guard let key = (old ?? new)?.key else { return nil }
    self.init(key: key, old: isForeign ? nil : old, new: new, isOldKnown: !isForeign)
  }
}

extension StoredRow {
  /// The row of an object.
  init<M: Model>(_ object: M, _ layout: RowLayout) {
    var encoder = _RowEncoder()
    encoder.encode(object, layout)
    self.init(RowView(encoder), layout)
  }
}
