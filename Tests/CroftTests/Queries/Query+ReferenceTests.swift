import Testing
import TestSupport

@testable import Croft

/// Random queries have the same results as plain Swift loops, by every plan and every API.
@Suite(.keepsFailedStores) struct QueryReferenceTests {
  private static let rounds = 4
  private static let queries = 120

  @Test func queriesOverAnIndexedModelGiveWhatSwiftGives() throws {
    try check(Indexed.Thing.self) { random in
      (0..<160).map { _ in Int16(truncatingIfNeeded: random.signed()) }
    }
  }

  @Test func queriesOverAPlainModelGiveWhatSwiftGives() throws {
    try check(Plain.Thing.self) { random in
      (0..<160).map { _ in Int16(truncatingIfNeeded: random.signed()) }
    }
  }

  @Test func queriesOverCompoundAndDescendingAndFoldedIndexesGiveWhatSwiftGives() throws {
    try check(Compound.Thing.self) { random in
      (0..<160).map { _ in Int16(truncatingIfNeeded: random.signed()) }
    }
  }

  @Test func queriesOverAModelWithATextAsKeyGiveWhatSwiftGives() throws {
    try check(Named.Thing.self) { random in
      (0..<160).map { _ in
        random.oneIn(9)
          ? String(repeating: "k", count: 190) + random.text(longest: 1) : random.text()
      }
    }
  }

  private func check<M: ThingLike>(
    _ model: M.Type, keys: (inout SeededGenerator) -> [M.PrimaryKey]
  ) throws {
    var random = SeededGenerator.forTest("queries of \(M.self)")
    for _ in 0..<Self.rounds {
      try withStore(of: model) { store in
        let objects = Array(Set(keys(&random))).map { M.random($0, &random) }
        try store.write { try $0.insert(contentsOf: objects) }
        for _ in 0..<Self.queries { try ask(objects, in: store, &random) }
      }
    }
  }

  /// Runs one random query by every API.
  private func ask<M: ThingLike>(
    _ objects: [M], in store: Store, _ random: inout SeededGenerator
  ) throws {
    let rows = objects.map(\.values)
    let reference = random.query(M._schema.erased, rows)
    let expected = reference.run(rows)
    let query = Query<M>(reference)
    let about: Comment = "seed \(random.seed): \(String(describing: reference).prefix(2_000))"
    let found = try store.fetch(query)
    #expect(found.map { $0._primaryKey } == expected.map { objects[$0]._primaryKey }, about)
    #expect(zip(found, expected).allSatisfy { $0.isSame(as: objects[$1]) }, about)
    #expect(try store.count(query) == expected.count, about)
    #expect(
      try store.first(query)?._primaryKey == expected.first.map { objects[$0]._primaryKey }, about)
    try askEveryPlan(query, expected.map { objects[$0] }, in: store, about)
    if random.oneIn(5) {
      try deleteAndUpdate(query, expected.map { objects[$0] }, in: store, about)
    }
  }

  /// Runs each plan that the query allows; all must give the same result.
  private func askEveryPlan<M: ThingLike>(
    _ query: Query<M>, _ expected: [M], in store: Store, _ about: Comment
  ) throws {
    try store.read { tx in
      let storage = try tx.catalog.table(of: M._schema.erased)
      for plan in Plan.all(query.core, storage, tx.catalog) {
        var keys: [M.PrimaryKey] = []
        try QueryRun(plan).forEachDecoded(in: tx.base) { row in
          keys.append(try M(_record: &row)._primaryKey)
          return true
        }
        #expect(
          keys == expected.map { $0._primaryKey }, "\(about) by \(plan.access) \(plan.delivery)")
      }
      for plan in Plan.all(query.core, storage, tx.catalog, for: .count) {
        #expect(
          try QueryRun(plan).count(in: tx.base) == expected.count, "\(about) by \(plan.access)")
      }
    }
  }

  /// Deletes and updates by the query, and rolls back.
  private func deleteAndUpdate<M: ThingLike>(
    _ query: Query<M>, _ expected: [M], in store: Store, _ about: Comment
  ) throws {
    let keys = Set(expected.map { $0._primaryKey })
    #expect(throws: Refused.self) {
      try store.write { tx in
        let rest = try tx.fetch(M.all).map { $0._primaryKey }.filter { !keys.contains($0) }
        #expect(try tx.delete(query) == expected.count, about)
        #expect(try tx.fetch(M.all).map { $0._primaryKey } == rest, about)
        throw Refused()
      }
    }
    #expect(throws: Refused.self) {
      try store.write { tx in
        var changed: [M.PrimaryKey] = []
        let count = try tx.update(query) {
          changed.append($0._primaryKey)
          $0.title = "changed"
          $0.small = $0.small == 77 ? 78 : 77
        }
        #expect(count == expected.count, about)
        #expect(changed == expected.map { $0._primaryKey }, about)
        let marked = try tx.fetch(Query<M>(M.isMarked)).map { $0._primaryKey }
        #expect(Set(marked) == keys, about)
        throw Refused()
      }
    }
  }
}

extension ThingLike {
  /// The condition that holds for the rows that an update of this suite changed.
  fileprivate static var isMarked: ConditionTree {
    let columns = _schema.erased.columns
    let place = columns.firstIndex { $0.name == "title" } ?? 0
    return .compare(ColumnPath(place: place, name: "title"), .equal, .string("changed"))
  }
}
