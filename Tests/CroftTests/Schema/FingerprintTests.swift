import Foundation
import LMDB
import Testing

@testable import Croft

enum Turned {
  @Model struct Mark {
    @PrimaryKey var id: Int
    var name: String
    var rank: Int
    var note: String?
  }
}

/// The schemas of a model that a store knows, and the programs for which that matters.
@Suite(.keepsFailedStores) struct FingerprintTests {
  private func entry(_ temporary: TemporaryStore) throws -> CatalogEntry {
    let environment = try Environment.open(at: temporary.url.path, options: .init(.forTests))
    return try environment.read { transaction in
      let stored = try StoredCatalog(transaction, path: temporary.url.path)
      return try #require(stored?.entries.first)
    }
  }

  /// A program that went back to an earlier schema of a model met the constraint of the later one:
  /// that is meant, since the later one may come back, and a due migration of the model ends it.
  @Test func aConstraintOfANewerProgramHoldsUntilAMigrationSaysThatThisOneIsTheNewest() throws {
    try withTemporaryStore(of: Loose.Badge.self) { temporary in
      try temporary.open().write { try $0.insert(Loose.Badge(id: 1, code: "a")) }
      let strict = try Store.open(at: temporary.url, models: Strict.Badge.self, options: .forTests)
      for badge in [Loose.Badge(id: 2, code: "a"), Loose.Badge(id: 3, code: "a")] {
        #expect(
          throws: StoreError.uniqueViolation(
            model: "Badge", fields: ["code"], key: "\(badge.id)", existing: "1")
        ) { try temporary.open().write { try $0.insert(badge) } }
      }
      let rows = try entry(temporary).tree
      do {
        let store = try Store.open(
          at: temporary.url, models: Loose.Badge.self, options: .forTests,
          migrations: [.adoptSchema("codes may repeat", of: Loose.Badge.self)])
        try store.write { try $0.insert(Loose.Badge(id: 2, code: "a")) }
      }
      let entry = try entry(temporary)
      #expect(entry.tree == rows && entry.indexes.isEmpty)
      // The other one is told what is in its way, and nothing changes for this one.
      for _ in 0..<2 {
        #expect(throws: StoreError.self) {
          try strict.write { try $0.insert(Strict.Badge(id: 9, code: "z")) }
        }
        #expect(throws: StoreError.self) {
          _ = try Store.open(at: temporary.url, models: Strict.Badge.self, options: .forTests)
        }
      }
      let migrated = try Store.open(
        at: temporary.url, models: Loose.Badge.self, options: .forTests,
        migrations: [.adoptSchema("codes may repeat", of: Loose.Badge.self)])
      #expect(try migrated.count(Loose.Badge.where { $0.code == "a" }) == 2)
    }
  }

  @Test func layoutsThatNoRowIsOfAnyMoreAreForgottenAndTheirNumbersNeverUsedAgain() throws {
    try withTemporaryStore(of: ByRank.Mark.self) { temporary in
      func open(_ model: any Model.Type, _ migrations: [Migration] = []) throws -> Store {
        try Store.open(
          at: temporary.url, models: model, options: .forTests, migrations: migrations)
      }
      let old = try open(Turned.Mark.self)
      let numbers = try entry(temporary).layouts.map(\.id)
      let store = try temporary.open()
      // There was no row yet.
      #expect(try entry(temporary).layouts.count == 1)
      #expect(try entry(temporary).layouts.map(\.id) != numbers)
      // A program with the forgotten layout registers it again before it writes a row.
      try old.write { try $0.insert(Turned.Mark(id: 1, name: "a", rank: 1)) }
      try store.write { try $0.insert(ByRank.Mark(id: 2, rank: 2, name: "b")) }
      #expect(try entry(temporary).layouts.count == 2)
      let used = try entry(temporary).layouts.map(\.id).max() ?? 0
      _ = try open(
        ByRank.Mark.self, [Migration("all", ByRank.Mark.self) { _, new in new?.rank += 1 }])
      #expect(try entry(temporary).layouts.count == 1)
      try old.write { _ = try $0.update(Turned.Mark.self, 1) { $0.name = "c" } }
      let newest = try entry(temporary).layouts.map(\.id).max() ?? 0
      #expect(newest > used)
      #expect(try store.fetch(ByRank.Mark.all).map(\.rank) == [2, 3])
      #expect(try store.fetch(ByRank.Mark.all).map(\.name) == ["c", "b"])
    }
  }

  @Test func knownSchemasAreBounded() throws {
    var entry = CatalogEntry(name: "A", id: 1)
    for number in 0..<1_000 {
      entry.note(CatalogEntry.KnownSchema(fingerprint: "\(number)", fields: [0]))
    }
    entry.note(CatalogEntry.KnownSchema(fingerprint: "999", fields: [1]))
    #expect(entry.knownSchemas.count == Threshold.knownSchemasPerModel.value)
    #expect(entry.knownSchemas.last == CatalogEntry.KnownSchema(fingerprint: "999", fields: [1]))
    #expect(entry.knownSchemas.first?.fingerprint == "744")
  }

  @Test func aKnownSchemaOfAnEarlierFileIsItsFingerprintAlone() throws {
    let schemas = try JSONDecoder().decode(
      [CatalogEntry.KnownSchema].self, from: Data(#"["1a", {"hash": "2b", "fields": [3, 4]}]"#.utf8)
    )
    #expect(
      schemas == [
        CatalogEntry.KnownSchema(fingerprint: "1a"),
        CatalogEntry.KnownSchema(fingerprint: "2b", fields: [3, 4]),
      ])
  }

  @Test func modelsAreNamedByAListAsWell() throws {
    let models: [any Model.Type] = [Loose.Badge.self, ByRank.Mark.self]
    let store = try Store.inMemory(models: models)
    try store.write { tx in
      try tx.insert(Loose.Badge(id: 1))
      try tx.insert(ByRank.Mark(id: 1, rank: 1, name: ""))
    }
    #expect(try store.statistics.models.map(\.name) == ["Badge", "Mark"])
    try withTemporaryStore(of: Loose.Badge.self, ByRank.Mark.self) { temporary in
      var steps: [MigrationProgress] = []
      func open(_ migrations: [Migration]) throws -> Store {
        try Store.open(
          at: temporary.url, models: models, options: .forTests, migrations: migrations
        ) { steps.append($0) }
      }
      try open([]).write { try $0.insert(Loose.Badge(id: 1)) }
      _ = try open([Migration("a", Loose.Badge.self) { _, new in new?.code = "a" }])
      #expect(steps.map(\.done) == [1])
    }
  }
}
