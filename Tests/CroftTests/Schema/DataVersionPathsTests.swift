import Foundation
import LMDB
import Testing

@testable import Croft

/// Indexes of computed values whose data differ, where another rule has a say in the index as well.
@Suite(.keepsFailedStores) struct DataVersionPathsTests {
  enum Unique {
    @Model struct Word: Hashable {
      @PrimaryKey var id: Int
      @Indexed(.unique, .caseFolded) var text: String
      var size: Int
    }
  }
  /// Another letter case is another value.
  enum Exact {
    @Model struct Word: Hashable {
      @PrimaryKey var id: Int
      @Indexed(.unique) var text: String
      var size: Int
    }
  }
  /// An older program, which declares no index.
  enum Plain {
    @Model struct Word: Hashable {
      @PrimaryKey var id: Int
      var text: String
      var size: Int
    }
  }
  /// A model to which another one refers that not every program declares.
  @Model struct Shelf: Hashable {
    @PrimaryKey var id: Int
  }
  @Model struct Book: Hashable {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var shelf: Ref<Shelf>
    @Indexed(.caseFolded) var title: String
  }

  /// A version of the model without the index of titles.
  enum Untitled {
    @Model struct Book: Hashable {
      @PrimaryKey var id: Int
      @Relation(onDelete: .cascade) var shelf: Ref<Shelf>
      var title: String
    }
  }

  private func words(_ ids: Range<Int>) -> [Unique.Word] {
    ids.map { Unique.Word(id: $0, text: "Word \($0)", size: $0 % 7) }
  }

  // MARK: - What another runtime left

  /// Changes the versions of a model's indexes, as a runtime with other data notes them.
  ///
  /// - Parameters:
  ///   - runtimes: The runtimes that are listed.
  ///   - isSame: Whether they have the data of this one.
  ///   - indexes: The numbers of the indexes; nil for all.
  private func note(
    _ runtimes: [String], isSame: Bool = false, model: Int = 1, indexes: [Int]? = nil, _ url: URL
  ) throws {
    let entry = try stored(url, model)
    try CatalogEditing(url: url).entry(model) { json in
      for (number, index) in entry.indexes.enumerated()
      where indexes?.contains(index.id) ?? true {
        for (column, stored) in index.columns.enumerated() {
          guard let version = stored.dataVersion else { continue }
          json["indexes"]?[number]["columns"]?[column]["dataVersion"] = .object([
            "runtimes": .list(runtimes.map(CatalogJSON.text)),
            "fingerprint": .text(isSame ? version.fingerprint : "another"),
          ])
        }
      }
    }
  }

  /// Empties the trees of indexes, as if all their entries were elsewhere.
  private func loseEntries(of indexes: [Int], _ url: URL) throws {
    let environment = try Environment.open(at: url.path, options: .init(.forTests))
    try environment.write { transaction in
      for index in indexes {
        let tree = try #require(
          try transaction.database(named: CatalogEntry.treeName(ofIndex: index)))
        try transaction.empty(tree)
      }
    }
  }

  private func entryCount(of index: Int, _ url: URL) throws -> Int? {
    let environment = try Environment.open(at: url.path, options: .init(.forTests))
    return try environment.read { transaction in
      try transaction.database(named: CatalogEntry.treeName(ofIndex: index)).map {
        try transaction.count(of: $0)
      }
    }
  }

  private func stored(_ url: URL, _ model: Int = 1) throws -> CatalogEntry {
    try JSONDecoder().decode(
      CatalogEntry.self, from: try JSONEncoder().encode(try CatalogEditing(url: url).entry(model)))
  }

  /// The indexes that note their data.
  private func versioned(_ url: URL, _ model: Int = 1) throws -> [CatalogEntry.Index] {
    try stored(url, model).indexes.filter { $0.columns.contains { $0.dataVersion != nil } }
  }

  // MARK: - A model that the program does not declare

  /// A program deletes books of a model that it does not declare, with their shelves.
  ///
  /// It must neither build an index that has entries of other data, nor take it for one of its own.
  @Test func anIndexOfAModelThatIsNotDeclaredIsLeftToAProgramThatDeclaresIt() throws {
    try withTemporaryStore(of: Shelf.self, Book.self) { temporary in
      do {
        let store = try temporary.open()
        try store.write { tx in
          for id in 0..<4 { try tx.insert(Shelf(id: id)) }
          for id in 0..<40 {
            try tx.insert(Book(id: id, shelf: Ref(id % 4), title: "Title \(id)"))
          }
        }
      }
      let index = try #require(try versioned(temporary.url, 2).first)
      try note(["another"], model: 2, temporary.url)
      try loseEntries(of: [index.id], temporary.url)
      for shelf in 0..<2 {
        let shelves = try Store.open(at: temporary.url, models: Shelf.self, options: .forTests)
        try shelves.write { _ = try $0.delete(Shelf.self, shelf) }
        let left = try #require(
          try stored(temporary.url, 2).indexes.first { $0.id == index.id })
        #expect(left.columns.allSatisfy { $0.dataVersion == nil }, "no program's data are noted")
        #expect(try entryCount(of: index.id, temporary.url) == 0, "it is not built here")
      }
      let store = try temporary.open()
      #expect(try store.verify().problems == [])
      #expect(
        try store.fetch(Book.where { $0.title.equals("title 6", options: .caseInsensitive) })
          .map(\.id) == [6])
      #expect(try versioned(temporary.url, 2).map(\.id) == [index.id])
    }
  }

  /// A program takes part in the build of an index that it does not declare, with data of its own.
  ///
  /// It must not take the index for one that is complete, and a program that declares it builds it again.
  @Test func anIndexThatIsBeingBuiltInAModelThatIsNotDeclaredStaysUnfinished() throws {
    try withTemporaryStore(of: Shelf.self, Book.self) { temporary in
      do {
        let store = try Store.open(
          at: temporary.url, models: Shelf.self, Untitled.Book.self, options: .forTests)
        try store.write { tx in
          for id in 0..<4 { try tx.insert(Shelf(id: id)) }
          for id in 0..<900 {
            try tx.insert(Untitled.Book(id: id, shelf: Ref(id % 4), title: "Title \(id)"))
          }
        }
      }
      do {
        let build = try StepwiseBuild(at: temporary.url, Shelf.self, Book.self)
        for _ in 0..<3 { _ = try build.step() }
      }
      let begun = try #require(try versioned(temporary.url, 2).first { $0.built != nil })
      try note(["another"], model: 2, temporary.url)
      try loseEntries(of: [begun.id], temporary.url)
      do {
        let build = try StepwiseBuild(at: temporary.url, Shelf.self)
        _ = try build.step()
      }
      let left = try #require(try stored(temporary.url, 2).indexes.first { $0.id == begun.id })
      #expect(left.isBuilding && left.built == begun.built)
      #expect(left.columns.allSatisfy { $0.dataVersion == nil })
      do {
        let shelves = try Store.open(at: temporary.url, models: Shelf.self, options: .forTests)
        try shelves.write { _ = try $0.delete(Shelf.self, 3) }
      }
      let store = try temporary.open()
      #expect(try store.count(Book.all) == 675)
      #expect(try store.verify().problems == [])
    }
  }

  /// The program that does not declare a model leaves the list of its runtimes alone, so that it writes
  /// nothing when it opens the store.
  @Test func runtimesAreNotNotedInAModelThatIsNotDeclared() throws {
    try withTemporaryStore(of: Shelf.self, Book.self) { temporary in
      try temporary.open().write { tx in
        try tx.insert(Shelf(id: 1))
        try tx.insert(Book(id: 1, shelf: Ref(1), title: "Title"))
      }
      do {
        // The store is to know the program.
        _ = try Store.open(at: temporary.url, models: Shelf.self, options: .forTests)
      }
      try note(["another"], isSame: true, model: 2, temporary.url)
      let before = try Data(contentsOf: temporary.url)
      do {
        _ = try Store.open(at: temporary.url, models: Shelf.self, options: .forTests)
      }
      #expect(try Data(contentsOf: temporary.url) == before)
      _ = try temporary.open()
      #expect(
        try versioned(temporary.url, 2).flatMap(\.columns).compactMap(\.dataVersion?.runtimes.count)
          == [2])
    }
  }

  // MARK: - Unique values

  /// How a program comes to an index that it does not declare.
  enum Coming: CaseIterable {
    case opening, writing, rebuilding
  }

  /// A unique index is built again at once, and its values stay unique.
  @Test(arguments: [false, true])
  func aUniqueIndexOfOtherDataIsBuiltAgainAtOnce(isStepwise: Bool) throws {
    try withTemporaryStore(of: Unique.Word.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: words(0..<150)) }
      let index = try #require(try versioned(temporary.url).first)
      try note(["another"], temporary.url)
      try loseEntries(of: [index.id], temporary.url)
      if isStepwise {
        let build = try StepwiseBuild(at: temporary.url, Unique.Word.self)
        #expect(try build.step() == nil, "a constraint in force stays in force")
      }
      let store = try temporary.open()
      #expect(try store.verify().problems == [])
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert(Unique.Word(id: 999, text: "wORD 7", size: 0)) }
      }
      #expect(try versioned(temporary.url).map(\.id) == [index.id])
    }
  }

  /// Values that are the same by the program's data alone refuse the opening, with a way out.
  ///
  /// Programs without the index are not kept from the store, which could not be repaired otherwise.
  @Test(arguments: Coming.allCases)
  func valuesThatOtherDataMakeTheSameRefuseTheOpening(coming: Coming) throws {
    try withTemporaryStore(of: Unique.Word.self) { temporary in
      do {
        // The store knows the program without the index before the one that adds it.
        _ = try Store.open(at: temporary.url, models: Plain.Word.self, options: .forTests)
        let store = try Store.open(at: temporary.url, models: Exact.Word.self, options: .forTests)
        try store.write { tx in
          for (id, text) in ["Word", "wORD", "other"].enumerated() {
            try tx.insert(Exact.Word(id: id, text: text, size: 0))
          }
        }
      }
      let early =
        coming == .opening
        ? nil : try Store.open(at: temporary.url, models: Plain.Word.self, options: .forTests)
      // The index becomes one that folds case, by data that fold nothing.
      try CatalogEditing(url: temporary.url).entry { json in
        json["indexes"]?[0]["columns"]?[0]["isCaseFolded"] = .bool(true)
        json["indexes"]?[0]["columns"]?[0]["dataVersion"] = .object([
          "runtimes": .list([.text("another")]), "fingerprint": .text("another"),
        ])
      }
      let before = try stored(temporary.url)
      for options in [Store.Options.forTests, .erasing] {
        let error = StoreError.thrown {
          _ = try Store.open(at: temporary.url, models: Unique.Word.self, options: options)
        }
        guard case .schemaMismatch("Word", "text", let reason)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(reason.contains("have the same values"))
        #expect(try stored(temporary.url) == before)
      }
      do {
        let plain =
          try early
          ?? Store.open(at: temporary.url, models: Plain.Word.self, options: .forTests)
        if coming == .rebuilding { try plain.rebuildIndexes() }
        #expect(try plain.count(Plain.Word.all) == 3)
        try plain.write { _ = try $0.update(Plain.Word.self, 1) { $0.text = "another" } }
        #expect(try stored(temporary.url).indexes == [])
      }
      let store = try temporary.open()
      #expect(try store.count(Unique.Word.where { $0.text == "Word" }) == 1)
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert(Unique.Word(id: 9, text: "WORD", size: 0)) }
      }
    }
  }

  // MARK: - An index that is being built

  /// The runtime changed while an index was built in steps, so that its first entries are of other data.
  @Test func whatAnotherRuntimeBuiltOfAnIndexIsBuiltAgain() throws {
    typealias Notes = DataVersionTests
    try withTemporaryStore(of: Notes.Indexed.Note.self) { temporary in
      do {
        let plain = try Store.open(
          at: temporary.url, models: Notes.Plain.Note.self, options: .forTests)
        try plain.write { tx in
          for id in 0..<900 {
            try tx.insert(
              Notes.Plain.Note(
                id: id, day: Date(timeIntervalSince1970: Double(id) * 400_000),
                title: "Title \(id % 40)", word: "Word \(id)", size: id % 9))
          }
        }
      }
      do {
        let build = try StepwiseBuild(at: temporary.url, Notes.Indexed.Note.self)
        for _ in 0..<4 { _ = try build.step() }
      }
      let begun = try #require(try versioned(temporary.url).first { $0.built != nil })
      try note(["another"], temporary.url)
      try loseEntries(of: try versioned(temporary.url).map(\.id), temporary.url)
      let build = try StepwiseBuild(at: temporary.url, Notes.Indexed.Note.self)
      _ = try build.step()
      let again = try #require(
        try versioned(temporary.url).first { $0.id == begun.id })
      #expect(again.isBuilding && again.built == nil, "it begins again")
      while try build.step() != nil {}
      #expect(try temporary.open().verify().problems == [])
    }
  }

  /// An index was being replaced by one that is built again from its rows, and one of the two, or both,
  /// have other data.
  @Test(arguments: [[true, false], [false, true], [true, true]])
  func anIndexThatIsBeingReplacedIsBuiltOnce(isOther: [Bool]) throws {
    typealias Notes = DataVersionTests
    try withTemporaryStore(of: Notes.Indexed.Note.self) { temporary in
      do {
        let store = try temporary.open()
        try store.write { tx in
          for id in 0..<900 {
            try tx.insert(
              Notes.Indexed.Note(
                id: id, day: Date(timeIntervalSince1970: Double(id) * 400_000),
                title: "Title \(id % 40)", word: "Word \(id)", size: id % 9))
          }
        }
      }
      let word = try #require(
        try versioned(temporary.url).first { $0.columns[0].isCaseFolded })
      let number = try #require(
        try stored(temporary.url).indexes.firstIndex { $0.id == word.id })
      try CatalogEditing(url: temporary.url).entry { json in
        json["indexes"]?[number]["awaitsRebuild"] = .bool(true)
      }
      do {
        let build = try StepwiseBuild(at: temporary.url, Notes.Indexed.Note.self)
        for _ in 0..<2 { _ = try build.step() }
      }
      let replacing = try #require(
        try versioned(temporary.url).first { $0.replaces == word.id && $0.built != nil })
      var others: [Int] = []
      if isOther[0] { others.append(word.id) }
      if isOther[1] { others.append(replacing.id) }
      try note(["another"], indexes: others, temporary.url)
      try loseEntries(of: others, temporary.url)
      // One index is built of the two, and not both.
      try expectReplacement(of: word.id, exists: !isOther[0], afterStepAt: temporary.url)
      let store = try StepwiseBuild.open(at: temporary.url, Notes.Indexed.Note.self)
      #expect(
        try store.fetch(
          Notes.Indexed.Note.where { $0.word.equals("WORD 77", options: .caseInsensitive) }
        ).map(\.id) == [77])
      #expect(try store.verify().problems == [])
      let left = try stored(temporary.url).indexes
      #expect(left.count == 4 && left.allSatisfy { !$0.isBuilding && $0.replaces == nil })
      for index in [word.id, replacing.id] where !left.contains(where: { $0.id == index }) {
        #expect(try entryCount(of: index, temporary.url) ?? 0 == 0)
      }
    }
  }

  /// Takes a step of an opening, and expects that another index still replaces one, or none does.
  private func expectReplacement(
    of index: Int, exists: Bool, afterStepAt url: URL
  ) throws {
    _ = try StepwiseBuild(at: url, DataVersionTests.Indexed.Note.self).step()
    let indexes = try stored(url).indexes
    #expect(indexes.contains { $0.replaces == index } == exists)
  }

  // MARK: - The list of runtimes

  /// Only the runtimes that were used last are listed; one that is not is compared by its data.
  @Test(arguments: [1, 7, 8, 9, 30])
  func theRuntimesThatWereNotedLastAreListed(count: Int) throws {
    try withTemporaryStore(of: Unique.Word.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: words(0..<10)) }
      let own = try #require(
        try versioned(temporary.url).first?.columns[0].dataVersion?.runtimes.first)
      let runtimes = (1...count).map { "runtime \($0)" }
      try note(runtimes, isSame: true, temporary.url)
      _ = try temporary.open()
      let listed = try versioned(temporary.url).first?.columns[0].dataVersion?.runtimes
      #expect(listed == runtimes.suffix(7) + [own])
      let before = try Data(contentsOf: temporary.url)
      _ = try temporary.open()
      #expect(try Data(contentsOf: temporary.url) == before)
    }
  }
}

extension Store.Options {
  fileprivate static var erasing: Self {
    var options = Self.forTests
    options.erasesOnSchemaMismatch = true
    return options
  }
}
