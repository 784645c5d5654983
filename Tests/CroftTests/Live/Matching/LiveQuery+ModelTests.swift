import Testing
import TestSupport

@testable import Croft

/// Random commits under random queries: the kept result is equal to what plain Swift finds, and
/// each diff, replayed on an array, leads from the result before to the result after.
@Suite(.keepsFailedStores) struct LiveQueryModelTests {
  @Test func everyCommitLeadsToWhatSwiftFinds() throws {
    try check(Plain.Thing.self, commits: Torture.steps(short: 8_000, long: 800_000)) { random in
      Int16(truncatingIfNeeded: random.signed())
    }
  }

  @Test func everyCommitToAnIndexedModelLeadsToWhatSwiftFinds() throws {
    try check(Indexed.Thing.self, commits: Torture.steps(short: 1_000, long: 100_000)) { random in
      Int16(truncatingIfNeeded: random.signed())
    }
  }

  @Test func everyCommitUnderTextsAsKeysLeadsToWhatSwiftFinds() throws {
    try check(Named.Thing.self, commits: Torture.steps(short: 1_000, long: 100_000)) { random in
      random.text()
    }
  }

  private func check<M: ThingLike>(
    _ model: M.Type, commits: Int, key: (inout SeededGenerator) -> M.PrimaryKey
  ) throws {
    var random = SeededGenerator.forTest("live queries of \(M.self)")
    try withStore(of: model) { store in
      let keys = Array(Set((0..<40).map { _ in key(&random) }))
      var twin = Twin<M>(
        try store.read { try $0.catalog.table(of: M._schema.erased).layout })
      var done = 0
      while done < commits {
        let count = 1 + random.below(60)
        try watch(store, &twin, keys, commits: count, &random)
        done += count
      }
    }
  }

  /// Follows one random query through some commits.
  private func watch<M: ThingLike>(
    _ store: Store, _ twin: inout Twin<M>, _ keys: [M.PrimaryKey], commits: Int,
    _ random: inout SeededGenerator
  ) throws {
    let reference = random.query(M._schema.erased, twin.rows.map(\.values))
    let about: Comment = "seed \(random.seed): \(String(describing: reference).prefix(1_000))"
    let query = try WatchedQuery(Query<M>(reference), in: store)
    var now = twin.run(reference)
    var told = now
    for _ in 0..<commits {
      let last = now
      let pairs = try commit(store, &twin, keys, &random)
      now = twin.run(reference)
      if random.oneIn(30) {
        // A gap: the changes are not known.
        try store.read { try query.live.run(in: &$0, at: 0) }
      } else if try query.follow(pairs, isForeign: random.oneIn(3)) == .unchanged {
        #expect(isSame(last, now), about)
      }
      #expect(isSame(query.live.results, now), about)
      guard random.oneIn(2) else { continue }
      let diff = query.tell()
      #expect((diff == nil) == isSame(told, now), about)
      DiffReplay.check(
        diff ?? ResultDiff(), from: told, to: now, about, key: \.row.key,
        isSame: { $0.row.holdsSame(as: $1.row) })
      told = now
    }
  }

  /// Commits random changes of random objects, and returns each before and after.
  private func commit<M: ThingLike>(
    _ store: Store, _ twin: inout Twin<M>, _ keys: [M.PrimaryKey], _ random: inout SeededGenerator
  ) throws -> [(old: M?, new: M?)] {
    var pairs: [M.PrimaryKey: M?] = [:]
    try store.write { tx in
      for _ in 0..<random.pick([1, 1, 1, 1, 2, 4, 12]) {
        let key = random.pick(keys)
        let old = twin[key]
        if pairs[key] == nil { pairs[key] = .some(old) }
        var new = old ?? M.random(key, &random)
        if old != nil { random.oneIn(4) ? new = .random(key, &random) : new.change(&random) }
        if random.oneIn(4) {
          try tx.delete(M.self, key)
          twin[key] = nil
        } else {
          try tx.upsert(new)
          twin[key] = new
        }
      }
    }
    return pairs.map { ($0.value, twin[$0.key]) }
  }

  private func isSame<M: ThingLike>(_ results: ResultRows, _ rows: [Twin<M>.Row]) -> Bool {
    results.count == rows.count
      && rows.indices.allSatisfy { place in
        results[place].key == rows[place].row.key && results[place].holdsSame(as: rows[place].row)
      }
  }

  private func isSame<M: ThingLike>(_ left: [Twin<M>.Row], _ right: [Twin<M>.Row]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { $0.row.key == $1.row.key && $0.row.holdsSame(as: $1.row) }
  }
}

/// The objects that a store should have.
private struct Twin<M: ThingLike> {
  struct Row {
    let object: M
    /// The properties as conditions hold them.
    let values: [StoredValue]
    /// The bytes, which differ between two spellings of equal texts.
    let row: StoredRow
  }

  private let layout: RecordLayout
  private var all: [M.PrimaryKey: Row] = [:]

  init(_ layout: RecordLayout) { self.layout = layout }

  var rows: [Row] { Array(all.values) }

  subscript(key: M.PrimaryKey) -> M? {
    get { all[key]?.object }
    set {
      all[key] = newValue.map { Row(object: $0, values: $0.values, row: StoredRow($0, layout)) }
    }
  }

  func run(_ reference: ReferenceQuery) -> [Row] {
    let rows = rows
    return reference.run(rows.map(\.values)).map { rows[$0] }
  }
}
