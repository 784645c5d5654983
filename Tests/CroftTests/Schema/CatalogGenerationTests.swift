import Croft
import Foundation
import Testing

// Two programs with different schemas of one model, both open at the same time.

enum Unindexed {
  @Model struct Mark: Hashable {
    @PrimaryKey var id: Int
    var rank: Int
    var name: String
  }
}
enum ByRank {
  @Model struct Mark: Hashable {
    @PrimaryKey var id: Int
    @Indexed var rank: Int
    var name: String
    var note: String?
  }
}
enum Narrow {
  @Model struct Mark: Hashable {
    @PrimaryKey var id: Int
    var rank: Float
    var note: String?
  }
}
enum Wider {
  @Model struct Mark: Hashable {
    @PrimaryKey var id: Int
    var rank: Double
    var note: String?
  }
}

@Suite(.keepsFailedStores) struct CatalogGenerationTests {
  @Test func anIndexAddedWhileAStoreIsOpenIsMaintainedByBoth() throws {
    try withTemporaryStore(of: ByRank.Mark.self) { temporary in
      let old = try Store.open(
        at: temporary.url, models: Unindexed.Mark.self, options: .forTests)
      try old.write { tx in
        for id in 0..<100 { try tx.insert(Unindexed.Mark(id: id, rank: id % 7, name: "\(id)")) }
      }
      let new = try temporary.open()
      try old.write { tx in
        try tx.insert(Unindexed.Mark(id: 100, rank: 3, name: "from the old one"))
        try tx.update(Unindexed.Mark.self, 5) { $0.rank = 3 }
        try tx.delete(Unindexed.Mark.self, 3)
        try tx.update(Unindexed.Mark.where { $0.rank == 6 }) { $0.rank = 60 }
      }
      try new.write { _ = try $0.update(ByRank.Mark.self, 7) { $0.note = "kept" } }
      try old.write { _ = try $0.update(Unindexed.Mark.self, 7) { $0.rank = 3 } }
      let ids = try new.fetch(ByRank.Mark.where { $0.rank == 3 }).map(\.id)
      #expect(
        ids == (0...100).filter { [5, 7, 100].contains($0) || $0 != 3 && $0 < 100 && $0 % 7 == 3 })
      #expect(try new.get(ByRank.Mark.self, 7)?.note == "kept")
      #expect(try new.verify().indexEntries == 100)
      #expect(try old.verify().isSound)
      #expect(
        try old.fetch(Unindexed.Mark.where { $0.rank == 3 }).map(\.id) == ids)
    }
  }

  @Test func anotherProcessMayAddAnIndexWhileThisOneIsOpen() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "store.croft")
    let store = try Store.open(at: url, models: Unindexed.Mark.self, options: .forTests)
    try await store.write { try $0.insert(Unindexed.Mark(id: 1, rank: 1, name: "a")) }
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let store = try Store.open(at: url, models: ByRank.Mark.self, options: .forTests)
      try await store.write { try $0.insert(ByRank.Mark(id: 2, rank: 1, name: "b", note: "n")) }
    }
    try await store.write { tx in
      try tx.insert(Unindexed.Mark(id: 3, rank: 1, name: "c"))
      try tx.update(Unindexed.Mark.self, 2) { $0.name = "changed here" }
    }
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let store = try Store.open(at: url, models: ByRank.Mark.self, options: .forTests)
      let found = try await store.fetch(ByRank.Mark.where { $0.rank == 1 })
      try #require(found.map(\.id) == [1, 2, 3])
      try #require(found[1].note == "n" && found[1].name == "changed here")
      try #require(try await store.verify().indexEntries == 3)
    }
    #expect(try await store.verify().isSound)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func anOlderProgramWithANarrowerTypeIsRefusedAndNobodyLosesAValue() throws {
    try withTemporaryStore(of: Wider.Mark.self) { temporary in
      let old = try Store.open(at: temporary.url, models: Narrow.Mark.self, options: .forTests)
      try old.write { try $0.insert(Narrow.Mark(id: 1, rank: 7, note: "kept")) }
      let new = try temporary.open()
      try new.write { try $0.insert(Wider.Mark(id: 2, rank: 1.5)) }
      let before = try Data(contentsOf: temporary.url)
      // The one that is open finds out at its next transaction, and one that opens at once.
      for attempt in [
        { _ = try old.fetch(Narrow.Mark.all) },
        { try old.write { _ = try $0.update(Narrow.Mark.self, 1) { $0.rank = 8 } } },
        { _ = try Store.open(at: temporary.url, models: Narrow.Mark.self, options: .forTests) },
      ] {
        let error = StoreError.thrown(by: attempt)
        guard case .schemaMismatch("Mark", "rank", let reason) = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
        #expect(reason.contains("the store holds double, the program declares float"), "\(reason)")
      }
      #expect(try Data(contentsOf: temporary.url) == before)
      #expect(try new.fetch(Wider.Mark.all).map(\.rank) == [7, 1.5])
      #expect(try new.get(Wider.Mark.self, 1)?.note == "kept")
    }
  }

  @Test func aNewerFormWithoutAnIndexDropsItAndAnOlderOneKeepsWhatOthersAdded() throws {
    try withTemporaryStore(of: ByRank.Mark.self) { temporary in
      func entries(_ model: any Model.Type) throws -> Int {
        try Store.open(at: temporary.url, models: model, options: .forTests).verify().indexEntries
      }
      try temporary.open().write { try $0.insert(ByRank.Mark(id: 1, rank: 1, name: "a")) }
      #expect(try entries(ByRank.Mark.self) == 1)
      // The store does not know this schema: it is the newer one, and no longer wants the index.
      #expect(try entries(Unindexed.Mark.self) == 0)
      // Now both are known, and neither undoes what the other needs.
      #expect(try entries(ByRank.Mark.self) == 1)
      #expect(try entries(Unindexed.Mark.self) == 1)
    }
  }
}
