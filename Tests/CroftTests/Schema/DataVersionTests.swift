import Foundation
import LMDB
import Testing
import TestSupport

@testable import Croft

/// Indexes of computed values under another version of the Unicode or time zone data.
@Suite(.keepsFailedStores) struct DataVersionTests {
  static let berlin: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    return calendar
  }()

  enum Indexed {
    @Model struct Note: Hashable {
      @PrimaryKey var id: Int
      var day: Date
      var title: String
      @Indexed(.caseFolded) var word: String
      var size: Int
      #Index<Note> { [$0.day.start(of: .month, in: DataVersionTests.berlin).ascending] }
      #Index<Note> { [$0.title.lowercased().ascending, $0.title.count.descending] }
      #Index<Note> { [($0.size * 2).ascending] }
    }
  }
  /// An older program, which declares no index.
  enum Plain {
    @Model struct Note: Hashable {
      @PrimaryKey var id: Int
      var day: Date
      var title: String
      var word: String
      var size: Int
    }
  }

  private let notes = (0..<150).map { id in
    Indexed.Note(
      id: id, day: Date(timeIntervalSince1970: Double(id) * 400_000), title: "Title \(id % 40)",
      word: id % 2 == 0 ? "Wörd \(id)" : "WORD \(id)", size: id % 9)
  }

  /// Passes a store of notes whose indexes were built with other data, which gave other entries.
  private func withOtherData(
    isSame: Bool = false, _ body: (TemporaryStore, CatalogEditing) throws -> Void
  ) throws {
    try withTemporaryStore(of: Indexed.Note.self) { temporary in
      // The store knows the older program, which therefore keeps the indexes up to date.
      _ = try Store.open(at: temporary.url, models: Plain.Note.self, options: .forTests)
      try temporary.open().write { try $0.insert(contentsOf: notes) }
      let editing = CatalogEditing(url: temporary.url)
      try makeOther(editing, isSame: isSame)
      if !isSame { try loseEntries(temporary.url) }
      try body(temporary, editing)
    }
  }

  private func makeOther(_ editing: CatalogEditing, isSame: Bool) throws {
    try editing.entry { entry in
      guard case .list(let indexes)? = entry["indexes"] else { return }
      for place in indexes.indices {
        guard case .list(let columns)? = indexes[place]["columns"] else { return }
        for column in columns.indices where columns[column]["dataVersion"] != nil {
          var version = CatalogJSON.object(["runtimes": .list([.text("another")])])
          version["fingerprint"] =
            isSame ? columns[column]["dataVersion"]?["fingerprint"] : .text("another")
          entry["indexes"]?[place]["columns"]?[column]["dataVersion"] = version
        }
      }
    }
  }

  /// Empties the trees of the computed indexes, as if all their entries were elsewhere.
  private func loseEntries(_ url: URL) throws {
    let indexes = try versioned(url)
    let environment = try Environment.open(at: url.path, options: .init(.forTests))
    try environment.write { transaction in
      for index in indexes {
        let tree = try #require(
          try transaction.database(named: CatalogEntry.treeName(ofIndex: index)))
        try transaction.empty(tree)
      }
    }
  }

  /// The numbers of the indexes that note their data.
  private func versioned(_ url: URL) throws -> [Int] {
    try stored(url).indexes.filter { $0.columns.contains { $0.dataVersion != nil } }.map(\.id)
  }

  private func stored(_ url: URL) throws -> CatalogEntry {
    try JSONDecoder().decode(
      CatalogEntry.self, from: try JSONEncoder().encode(try CatalogEditing(url: url).entry()))
  }

  private func expectAnswers(_ store: Store) throws {
    let month = Self.berlin.dateInterval(of: .month, for: notes[40].day)?.start ?? .distantPast
    let titled = try store.count(Indexed.Note.where { $0.title.lowercased() == "title 7" })
    #expect(titled == notes.count { $0.title == "Title 7" })
    let inMonth = try store.count(
      Indexed.Note.where { $0.day.start(of: .month, in: DataVersionTests.berlin) == month })
    #expect(
      inMonth
        == notes.count {
          Self.berlin.isDate($0.day, equalTo: notes[40].day, toGranularity: .month)
        })
  }

  /// Queries by the index missed rows after an upgrade, and nothing noticed.
  @Test func anIndexOfOtherDataIsBuiltAgainAtTheOpening() throws {
    try withOtherData { temporary, editing in
      let store = try temporary.open()
      #expect(try store.verify().problems == [])
      try expectAnswers(store)
      #expect(try store.statistics.models[0].indexes.count == 4)
      for index in try stored(temporary.url).indexes {
        for column in index.columns { #expect(column.dataVersion?.fingerprint != "another") }
      }
    }
  }

  /// A program that knows the model by the catalog alone uses no entry that it would compute in another way.
  @Test func aProgramWithTheModelsOfTheFileBuildsItAgain() throws {
    let text = "Note where lower(title) == \"title 7\" select count"
    let matching = notes.count { $0.title == "Title 7" }
    try withOtherData { temporary, editing in
      let before = try editing.entry()
      let plain = try Store.open(at: temporary.url, models: [], options: .forTests)
      #expect(
        try plain.fetch(DynamicQuery(text)).map(\.values) == [[.int(Int64(matching))]],
        "it reads no entry of the index")
      #expect(try editing.entry() == before)
      let store = try Store.open(at: temporary.url, models: [], options: .storedModels)
      #expect(try store.fetch(DynamicQuery(text)).map(\.values) == [[.int(Int64(matching))]])
      try store.write { tx in
        try tx.update(DynamicQuery("Note where id == 7"), set: ["title": .string("Title 8")])
      }
      #expect(try store.verify().problems == [])
      for index in try stored(temporary.url).indexes {
        for column in index.columns { #expect(column.dataVersion?.fingerprint != "another") }
      }
      let declared = try temporary.open()
      #expect(
        try declared.count(Indexed.Note.where { $0.title.lowercased() == "title 7" })
          == matching - 1)
      #expect(try declared.verify().problems == [])
    }
  }

  @Test func aPlainIndexNotesNothing() throws {
    try withOtherData { temporary, _ in
      let numbers = try versioned(temporary.url)
      #expect(numbers.count == 3)
    }
  }

  @Test func anotherRuntimeWithTheSameDataIsNotedAndNothingIsBuilt() throws {
    try withOtherData(isSame: true) { temporary, editing in
      let before = try editing.entry()
      let trees = try versioned(temporary.url)
      #expect(try temporary.open().verify().problems == [])
      let after = try stored(temporary.url)
      #expect(try versioned(temporary.url) == trees)
      for column in after.indexes.flatMap(\.columns) where column.dataVersion != nil {
        #expect(column.dataVersion?.runtimes.count == 2)
        #expect(column.dataVersion?.runtimes.first == "another")
      }
      #expect(try editing.entry() != before)
      let noted = try Data(contentsOf: temporary.url)
      _ = try temporary.open()
      #expect(try Data(contentsOf: temporary.url) == noted, "the next opening writes nothing")
    }
  }

  @Test func aProgramThatDoesNotDeclareTheIndexBuildsItAgainToo() throws {
    try withOtherData { temporary, _ in
      do {
        let plain = try Store.open(at: temporary.url, models: Plain.Note.self, options: .forTests)
        try plain.write {
          try $0.insert(Plain.Note(id: 999, day: .now, title: "", word: "", size: 1))
        }
        try plain.write { _ = try $0.delete(Plain.Note.self, 999) }
      }
      let store = try temporary.open()
      #expect(try store.verify().problems == [])
      try expectAnswers(store)
    }
  }

  @Test func aReaderDoesNotUseAnIndexOfOtherData() throws {
    try withOtherData { temporary, _ in
      var options = Store.Options.forTests
      options.isReadOnly = true
      do {
        let reader = try Store.open(at: temporary.url, models: Indexed.Note.self, options: options)
        try expectAnswers(reader)
        #expect(try reader.statistics.models[0].indexes.count == 1)
      }
      try expectAnswers(try temporary.open())
    }
  }

  /// Two programs with different runtimes have the store open: each must use its own entries alone.
  @Test func aStoreThatIsOpenStopsUsingAnIndexThatAnotherRuntimeBuilt() throws {
    try withTemporaryStore(of: Indexed.Note.self) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: notes) }
      let editing = CatalogEditing(url: temporary.url)
      try makeOther(editing, isSame: false)
      try loseEntries(temporary.url)
      try expectAnswers(store)
      try store.write { _ = try $0.update(Indexed.Note.self, 3) { $0.size += 9 } }
      try expectAnswers(store)
      #expect(try store.verify().problems == [])
    }
  }

  /// The index had been complete, and the store usable: a damaged row must not end that when a new
  /// version of Swift brings other data.
  @Test(arguments: [false, true])
  func aRowThatCannotBeReadDoesNotKeepTheIndexFromBeingBuilt(isStepwise: Bool) throws {
    try withOtherData { temporary, _ in
      let environment = try Environment.open(at: temporary.url.path, options: .init(.forTests))
      try environment.write { transaction in
        let rows = try #require(try transaction.database(named: "e1"))
        var (key, row): ([UInt8], [UInt8]) = ([], [])
        try transaction.forEachBlock(of: rows) { block in
          (key, row) = (block.key(at: 7).copied(), block.value(at: 7).copied())
          return false
        }
        row[row.count - 6] ^= 0x20
        _ = try transaction.put(row.span.bytes, at: key.span.bytes, in: rows)
      }
      for _ in 0..<2 {
        let store =
          isStepwise
          ? try StepwiseBuild.open(at: temporary.url, Indexed.Note.self) : try temporary.open()
        #expect(try store.count(Indexed.Note.where { $0.title.lowercased() == "title 8" }) == 4)
        try store.write { _ = try $0.update(Indexed.Note.self, 9) { $0.size += 1 } }
        #expect(try store.verify().problems.count == 1)
      }
      try temporary.open().write { _ = try $0.delete(Indexed.Note.self, 7) }
      #expect(try temporary.open().verify().problems == [])
    }
  }

  @Test func manyRowsAreIndexedAgainInSteps() throws {
    try withOtherData { temporary, _ in
      let build = try StepwiseBuild(at: temporary.url, Indexed.Note.self)
      var steps = 0
      while try build.step() != nil {
        steps += 1
        try expectAnswers(
          try StoreOpening(
            path: temporary.url.path, [Indexed.Note.self], .forTests, limits: StepwiseBuild.building
          ).run())
      }
      #expect(steps > 0)
      try expectAnswers(try temporary.open())
    }
  }
}
