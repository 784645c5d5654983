import Testing
import TestSupport

@testable import Croft

/// Random conditions over paths of every kind have the same results as plain Swift loops.
@Suite(.keepsFailedStores) struct QueryMixedTests {
  private static let rounds = 3
  private static var queries: Int { Torture.steps(short: 150, long: 5_000) }

  private struct Objects {
    var hubs: [Mixed.Hub]
    var nodes: [Mixed.Node]

    init(_ random: inout SeededGenerator) {
      let hubIDs = Array(Set((0..<8).map { _ in random.text(longest: 3) }))
      let ids = Array(Set((0..<60).map { _ in Int16(truncatingIfNeeded: random.signed()) }))
      hubs = hubIDs.map { .random($0, hubIDs, &random) }
      nodes = ids.map { .random($0, ids, hubIDs, &random) }
    }

    func world(_ root: Schema) -> ReferenceWorld {
      ReferenceWorld(
        root: root,
        [
          (Mixed.Hub._schema.erased, hubs.map(\.values)),
          (Mixed.Node._schema.erased, nodes.map(\.values)),
        ])
    }
  }

  @Test func pathsThroughReferencesStructsAndCollectionsGiveWhatSwiftGives() throws {
    var random = SeededGenerator.forTest("QueryMixedTests")
    for _ in 0..<Self.rounds {
      let objects = Objects(&random)
      try withStore(of: Mixed.Hub.self, Mixed.Node.self) { store in
        try store.write { tx in
          try tx.insert(contentsOf: objects.hubs)
          try tx.insert(contentsOf: objects.nodes)
          // The changes of this transaction are still in the indexes' buffers.
          for _ in 0..<20 {
            try ask(objects.nodes, objects.world(Mixed.Node._schema.erased), &random) {
              try tx.fetch($0)
            }
          }
        }
        for _ in 0..<Self.queries {
          if random.oneIn(4) {
            try ask(objects.hubs, objects.world(Mixed.Hub._schema.erased), in: store, &random)
          } else {
            try ask(objects.nodes, objects.world(Mixed.Node._schema.erased), in: store, &random)
          }
        }
      }
    }
  }

  /// Runs one random query by one API.
  @discardableResult
  private func ask<M: Model & Hashable>(
    _ objects: [M], _ world: ReferenceWorld, _ random: inout SeededGenerator,
    _ fetch: (Query<M>) throws -> [M]
  ) throws -> (Query<M>, [M.PrimaryKey], Comment) where M.PrimaryKey: Hashable {
    let reference = random.query(world)
    let expected = reference.run(world.rows(of: world.root)).map { objects[$0]._primaryKey }
    let query = Query<M>(reference)
    let condition = String(describing: reference.condition).prefix(2_000)
    let about: Comment = """
      seed \(random.seed): \(condition) \(reference.order) \(reference.distinct) \
      \(String(describing: reference.limit)) \(reference.offset)
      """
    do {
      #expect(try fetch(query).map { $0._primaryKey } == expected, about)
    } catch {
      Issue.record(error, about)
    }
    return (query, expected, about)
  }

  /// Runs one random query by every API.
  private func ask<M: Model & Hashable>(
    _ objects: [M], _ world: ReferenceWorld, in store: Store, _ random: inout SeededGenerator
  ) throws where M.PrimaryKey: Hashable {
    let (query, expected, about) = try ask(objects, world, &random) { try store.fetch($0) }
    #expect(try store.count(query) == expected.count, about)
    try store.read { tx in
      let storage = try tx.catalog.table(of: M._schema.erased)
      for plan in Plan.all(query.core, storage, tx.catalog) {
        var keys: [M.PrimaryKey] = []
        try QueryRun(plan).forEachDecoded(in: tx.base) { row in
          keys.append(try M(_record: &row)._primaryKey)
          return true
        }
        #expect(keys == expected, "\(about) by \(plan.access) \(plan.delivery)")
      }
      for plan in Plan.all(query.core, storage, tx.catalog, for: .count) {
        #expect(
          try QueryRun(plan).count(in: tx.base) == expected.count, "\(about) by \(plan.access)")
      }
    }
  }
}
