import Foundation
import LMDB
import TestSupport
import Testing

@testable import Croft

/// A store keeps an index for searches as it keeps others: built, rebuilt, checked, and by every program.
@Suite(.keepsFailedStores) struct TextIndexStoreTests {
  private func essays(_ ids: Range<Int>, _ random: inout SeededGenerator) -> [Essay] {
    ids.map { id in
      Essay(
        id: id, title: random.searchedText(), body: random.oneIn(3) ? nil : random.searchedText(),
        tags: random.oneIn(2) ? [] : [random.searchedText()])
    }
  }

  /// Compares random searches of every plan with a loop.
  private func check(
    _ store: Store, _ essays: [Essay], _ random: inout SeededGenerator, plans least: Int = 2
  ) throws {
    for _ in 0..<10 {
      let essay = random.pick(essays)
      let query = random.search(in: essay.title)
      let search = NaiveSearch(query)
      let expected = essays.filter { search.matches($0.title) }
      let plans = try store.everyPlan(of: Essay.where { $0.title.matches(query) }) { found, _ in
        #expect(found == expected, "seed \(random.seed): \(query)")
      }
      #expect(plans >= least, "seed \(random.seed)")
    }
    #expect(try store.verify().problems == [])
  }

  @Test func aDeclaredIndexIsKeptAndUsed() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Essay.self) { temporary in
      var all = essays(0..<700, &random)
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: all) }
      try check(store, all, &random)
      for place in 0..<40 {
        let id = random.below(700)
        let changed = Essay(id: id, title: random.searchedText(), body: "\(place)")
        all[id] = changed
        try store.write { try $0.upsert(changed) }
      }
      try store.write { _ = try $0.delete(Essay.where { $0.id >= 600 }) }
      all.removeLast(100)
      try check(store, all, &random)
      try check(try temporary.open(), all, &random)
    }
  }

  /// A program that adds the index builds it, at once and in steps; one without it keeps it up to date.
  @Test(arguments: [false, true])
  func anIndexIsAddedAndKeptByOtherPrograms(inSteps: Bool) throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Unsearched.Essay.self) { temporary in
      var all = essays(0..<700, &random)
      func open() throws -> Store {
        try inSteps
          ? StepwiseBuild.open(at: temporary.url, Essay.self)
          : Store.open(at: temporary.url, models: Essay.self, options: .forTests)
      }
      let plain = try temporary.open()
      try plain.write { tx in
        try tx.insert(
          contentsOf: all.map {
            Unsearched.Essay(id: $0.id, title: $0.title, body: $0.body, tags: $0.tags)
          })
      }
      try check(open(), all, &random)
      // The other program knows nothing of the index, and keeps it.
      let title = random.searchedText()
      try plain.write { tx in
        try tx.update(Unsearched.Essay.where { $0.id < 300 }, set: \.title, to: title)
        _ = try tx.delete(Unsearched.Essay.where { $0.id >= 650 })
      }
      for place in 0..<300 { all[place].title = title }
      all.removeLast(50)
      try check(open(), all, &random)
    }
  }

  @Test func damageIsMendedByRebuilding() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Essay.self) { temporary in
      let all = essays(0..<400, &random)
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: all) }
      let table = try store.knownCatalog.table(of: Essay._schema.erased)
      let index = try #require(table.indexes.lazy.compactMap { $0 as? TextIndex }.first)
      try store.writeInEngine { transaction in
        _ = try transaction.deleteRange(
          .prefix(TextIndexKey.block(1, 0, Array("s".utf8))), in: index.tree.tree)
      }
      let found = try store.verify()
      #expect(found.isMendedByRebuildingIndexes)
      #expect(
        found.problems == [
          "The index for searches of Essay over title, body, tags has other words than its rows"
        ])
      try store.rebuildIndexes()
      try check(store, all, &random)
    }
  }

  /// The feature is set with the first index for searches.
  @Test func theHeaderNamesTheFeature() throws {
    for (model, isText) in [(Essay.self as any Model.Type, true), (Unsearched.Essay.self, false)] {
      try withTemporaryStore(of: model) { temporary in
        let store = try temporary.open()
        let header = try store.environment.read { transaction in
          try StoreHeader(in: store.knownCatalog.meta, transaction, path: temporary.url.path)
        }
        #expect(header.features.contains(.textSearch) == isText)
      }
    }
  }

  @Test func aRowDeletedByAQueryOfTheIndexIsGone() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withStore(of: Essay.self) { store in
      try store.write { try $0.insert(contentsOf: essays(0..<300, &random)) }
      let count = try store.count(Essay.where { $0.title.matches("가* OR a*") })
      try store.write { tx in
        let deleted = try tx.delete(Essay.where { $0.title.matches("가* OR a*") })
        let left = try tx.count(Essay.where { $0.title.matches("가* OR a*") })
        #expect(deleted == count && left == 0)
      }
      #expect(try store.count(Essay.all) == 300 - count)
    }
  }

  @Test func mistakesOfDeclarationsAreNamed() {
    func mistake(_ columns: [KeyPath<IndexRoot<Song>, IndexPart>]...) -> String? {
      let schema = _ModelSchema<Song>(
        "Song",
        [_keyColumn(\.id, "id"), _column(\.title, "title"), _column(\.plays, "plays")],
        indexes: columns.map { _Index<Song>(searching: $0) })
      return schema.erased.mistake?.reason
    }
    #expect(mistake([\.title]) == nil)
    #expect(mistake([])?.contains("names no property") == true)
    #expect(mistake([\.title, \.title])?.contains("title twice") == true)
    #expect(mistake([\.plays])?.contains("not a stored text") == true)
    #expect(mistake([\.title], [\.title])?.contains("two indexes") == true)
  }
}
