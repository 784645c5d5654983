import Foundation
import Testing

@testable import Croft

/// A program that declares no index on its badges.
enum Loose {
  @Model struct Badge: Hashable {
    @PrimaryKey var id: Int
    var code: String?
  }
}

/// The same program, later: no two badges have the same code.
enum Strict {
  @Model struct Badge: Hashable {
    @PrimaryKey var id: Int
    @Indexed(.unique) var code: String?
  }
}

/// Indexes that a change of the schema adds or drops.
@Suite(.keepsFailedStores) struct IndexEvolutionTests {
  private func fill(_ temporary: TemporaryStore, codes: [String?]) throws {
    let store = try temporary.open()
    try store.write { tx in
      try tx.insert(
        contentsOf: codes.enumerated().map { Loose.Badge(id: $0.offset, code: $0.element) })
    }
  }

  @Test func anAddedUniqueIndexIsBuiltAndHolds() throws {
    try withTemporaryStore(of: Loose.Badge.self, checksAtEnd: false) { temporary in
      try fill(temporary, codes: (0..<2_000).map { $0 % 7 == 0 ? nil : "code \($0)" })
      let store = try Store.open(at: temporary.url, models: Strict.Badge.self, options: .forTests)
      let verification = try store.verify()
      #expect(verification.problems == [])
      #expect(verification.indexEntries == 2_000)
      #expect(
        throws: StoreError.uniqueViolation(
          model: "Badge", fields: ["code"], key: "5000", existing: "3")
      ) { try store.write { try $0.insert(Strict.Badge(id: 5_000, code: "code 3")) } }
    }
  }

  @Test func aUniqueIndexOverObjectsThatClashIsNotAddedAndNothingChanges() throws {
    try withTemporaryStore(of: Loose.Badge.self) { temporary in
      try fill(temporary, codes: ["a", nil, "b", nil, "a"])
      let bytes = try Data(contentsOf: temporary.url)
      #expect(
        throws: StoreError.uniqueViolation(
          model: "Badge", fields: ["code"], key: "4", existing: "0"
        ).buildingUniqueIndex(isMigrating: false)
      ) { try Store.open(at: temporary.url, models: Strict.Badge.self, options: .forTests) }
      #expect(try Data(contentsOf: temporary.url) == bytes)
      let store = try temporary.open()
      try store.write { tx in
        try tx.delete(Loose.Badge.self, 4)
        try tx.insert(Loose.Badge(id: 5, code: "c"))
      }
    }
  }
}
