import Foundation
import LMDB
import Testing

@testable import Croft

/// A migration, or a change of a type, while an index is being built step by step.
@Suite(.keepsFailedStores) struct MigrationIndexBuildingTests {
  private func withMarks(_ body: (Store, TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(of: ByRank.Mark.self) { temporary in
      let old = try Store.open(at: temporary.url, models: Unindexed.Mark.self, options: .forTests)
      try old.write { tx in
        for id in 0..<240 { try tx.insert(Unindexed.Mark(id: id, rank: id % 9, name: "")) }
      }
      try body(old, temporary)
    }
  }

  /// The index kept the note of how far it was built, though its tree was emptied for the migrated
  /// rows: those up to that note never got their entries.
  @Test func aMigrationBehindAnInterruptedBuildMakesTheWholeIndex() throws {
    try withMarks { old, temporary in
      let build = try StepwiseBuild(at: temporary.url, ByRank.Mark.self)
      for _ in 0..<5 { #expect(try build.step() != nil) }
      let store = try Store.open(
        at: temporary.url, models: ByRank.Mark.self, options: .forTests,
        migrations: [Migration("more", ByRank.Mark.self) { _, new in new?.rank += 1 }])
      #expect(try store.verify().problems == [])
      #expect(try store.verify().indexEntries == 240)
      #expect(try old.fetch(Unindexed.Mark.where { $0.rank == 9 }).count == 26)
    }
  }

  /// While a unique index was rebuilt step by step, because its type changed, another program
  /// could give two objects one value; the index was then dropped, and the constraint with it.
  @Test func aUniqueIndexWhoseTypeChangesHoldsAllTheWhile() throws {
    try withTemporaryStore(of: Optionally.Badge.self) { temporary in
      let other = try temporary.open()
      try Store.open(at: temporary.url, models: Surely.Badge.self, options: .forTests).write { tx in
        for id in 0..<240 { try tx.insert(Surely.Badge(id: id, code: "c\(id)")) }
      }
      let build = try StepwiseBuild(at: temporary.url, Optionally.Badge.self)
      repeat {
        for id in [1_000, 238] {
          #expect(
            throws: StoreError.uniqueViolation(
              model: "Badge", fields: ["code"], key: "\(id)", existing: "239")
          ) { _ = try other.write { try $0.upsert(Optionally.Badge(id: id, code: "c239")) } }
        }
      } while try build.step() != nil
      #expect(try other.verify().problems == [])
    }
  }
}

enum Surely {
  @Model struct Badge: Hashable {
    @PrimaryKey var id: Int
    @Indexed(.unique) var code: String = ""
  }
}
enum Optionally {
  @Model struct Badge: Hashable {
    @PrimaryKey var id: Int
    @Indexed(.unique) var code: String?
  }
}
