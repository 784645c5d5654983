import Croft
import Foundation
import Testing
import TestSupport

// One model of a program's, as its versions declare it.

enum First {
  @Model struct Person: Hashable {
    @PrimaryKey var id: Int32
    var name: String
    @Indexed var rank: Int16
    var weight: Float
    var note: String?
  }
}

/// Reordered, everything widened, a field more, and other indexes.
enum Second {
  @Model struct Person: Hashable {
    @PrimaryKey var id: Int
    var weight: Double
    @Indexed var note: String?
    var rank: Int64
    @Indexed var name: String
    var city: String?
  }
}

/// Without two of the first one's fields.
enum Smaller {
  @Model struct Person: Hashable {
    @PrimaryKey var id: Int32
    var name: String
    var note: String?
  }
}

extension First.Person {
  /// Persons with the identifiers of a range.
  static func numbered(_ ids: Range<Int32>) -> [Self] {
    ids.map { id in
      Self(
        id: id, name: "Person \(id)", rank: Int16(id % 10) - 5, weight: Float(id) / 4,
        note: id % 3 == 0 ? nil : "note \(id % 7)")
    }
  }
}

extension Second.Person {
  init(_ first: First.Person) {
    self.init(
      id: Int(first.id), weight: Double(first.weight), note: first.note, rank: Int64(first.rank),
      name: first.name)
  }
}

/// What changes by itself when a store is opened, and what that costs.
@Suite(.keepsFailedStores) struct EvolutionTests {
  private func open(_ temporary: TemporaryStore, _ model: any Model.Type) throws -> Store {
    try Store.open(at: temporary.url, models: model, options: .forTests)
  }

  @Test func fieldsAreAddedReorderedAndWidenedAndOldRowsReadSo() throws {
    try withTemporaryStore(of: Second.Person.self) { temporary in
      let old = First.Person.numbered(0..<500)
      try open(temporary, First.Person.self).write { try $0.insert(contentsOf: old) }
      let store = try temporary.open()
      var twin = old.map { Second.Person($0) }
      #expect(try store.fetch(Second.Person.all) == twin)
      try store.write { tx in
        for id in [3, 400] { try tx.update(Second.Person.self, id) { $0.city = "Seoul" } }
        try tx.insert(
          Second.Person(
            id: 1 << 40, weight: .pi, note: "new", rank: 1 << 40, name: "x", city: nil))
      }
      for id in [3, 400] { twin[id].city = "Seoul" }
      twin.append(
        Second.Person(id: 1 << 40, weight: .pi, note: "new", rank: 1 << 40, name: "x", city: nil))
      #expect(try store.fetch(Second.Person.all) == twin)
      #expect(
        try store.fetch(Second.Person.where { $0.rank < 0 })
          == twin.filter { $0.rank < 0 })
      #expect(
        try store.fetch(Second.Person.where { $0.weight >= 12.25 && $0.city == nil })
          == twin.filter { $0.weight >= 12.25 && $0.city == nil })
      #expect(
        try store.fetch(Second.Person.where { $0.note == "note 3" })
          == twin.filter { $0.note == "note 3" })
      #expect(
        try store.fetch(Second.Person.all.order(by: \.rank.descending, \.name))
          == twin.sorted { ($1.rank, $0.name) < ($0.rank, $1.name) })
      #expect(try store.verify().indexEntries == 2 * twin.count)
    }
  }

  @Test func aRemovedPropertyHidesTheFieldAndItsValuesAreKept() throws {
    try withTemporaryStore(of: First.Person.self) { temporary in
      var twin = First.Person.numbered(0..<100)
      try temporary.open().write { try $0.insert(contentsOf: twin) }
      do {
        let store = try open(temporary, Smaller.Person.self)
        try store.write { tx in
          try tx.update(Smaller.Person.self, 7) { $0.name = "seven" }
          try tx.upsert(Smaller.Person(id: 8, name: "eight", note: "n"))
          try tx.update(Smaller.Person.where { $0.note == nil }) { $0.note = "none" }
          try tx.delete(Smaller.Person.self, 9)
        }
        #expect(try store.verify().isSound)
      }
      twin[7].name = "seven"
      twin[8].name = "eight"
      twin[8].note = "n"
      for place in twin.indices where twin[place].note == nil { twin[place].note = "none" }
      twin.remove(at: 9)
      let store = try temporary.open()
      #expect(try store.fetch(First.Person.all) == twin)
      #expect(
        try store.fetch(First.Person.where { $0.rank == -3 }) == twin.filter { $0.rank == -3 })
    }
  }

  @Test func anInsertWithoutAHiddenFieldsValueNamesTheField() throws {
    try withTemporaryStore(of: First.Person.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: First.Person.numbered(0..<3)) }
      let store = try open(temporary, Smaller.Person.self)
      try store.write { tx in
        let error = #expect(throws: StoreError.self) {
          try tx.insert(Smaller.Person(id: 50, name: "x"))
        }
        guard case .schemaMismatch("Person", "rank", let reason) = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
        #expect(reason.contains("default"))
        // The statement changed nothing, and the transaction continues.
        try tx.update(Smaller.Person.self, 1) { $0.note = "still" }
      }
      #expect(try store.count(Smaller.Person.all) == 3)
      #expect(try store.get(Smaller.Person.self, 1)?.note == "still")
    }
  }

  @Test func aStoreWhoseSchemaIsEqualIsNotWrittenTo() throws {
    try withTemporaryStore(of: Second.Person.self) { temporary in
      try open(temporary, First.Person.self).write {
        try $0.insert(contentsOf: First.Person.numbered(0..<10))
      }
      _ = try temporary.open()
      let bytes = try Data(contentsOf: temporary.url)
      _ = try temporary.open()
      #expect(try Data(contentsOf: temporary.url) == bytes)
    }
  }

  @Test func aFieldInNoIndexCostsNothingHoweverManyObjectsThereAre() throws {
    let count = Int32(Torture.steps(short: 3_000, long: 1_000_000))
    let options = Store.Options.forTests { $0.mapSizeBytes = 4 << 30 }
    try withTemporaryStore(of: Plain.Word.self, options: options, checksAtEnd: false) { temporary in
      func figures(_ model: any Model.Type) throws -> (size: Int, rows: StoreStatistics.Tree) {
        let clock = ContinuousClock()
        let start = clock.now
        let store = try Store.open(at: temporary.url, models: model, options: options)
        print("opened \(model) over \(count) objects in \(clock.now - start)")
        let size = try FileManager.default.attributesOfItem(atPath: temporary.url.path)[.size]
        return (
          try #require(size as? Int), try #require(try store.statistics.models.first?.rows)
        )
      }
      do {
        let store = try temporary.open()
        try store.write { tx in
          try tx.insert(contentsOf: (0..<count).lazy.map { Plain.Word(id: $0, text: "w\($0)") })
        }
        // Leaves a few free pages, as every used store has.
        for id in 0..<4 as Range<Int32> {
          try store.write { _ = try $0.update(Plain.Word.self, id) { $0.text = "y" } }
        }
      }
      let before = try figures(Plain.Word.self)
      let wider = try figures(WiderPlain.Word.self)
      #expect(wider.size == before.size)
      #expect(wider.rows == before.rows)
      let store = try Store.open(at: temporary.url, models: WiderPlain.Word.self, options: options)
      #expect(try store.count(WiderPlain.Word.where { $0.count == nil }) == Int(count))
      #expect(
        try store.get(WiderPlain.Word.self, Int64(count) - 1)
          == WiderPlain.Word(text: "w\(count - 1)", count: nil, id: Int64(count) - 1))
    }
  }
}

extension Plain {
  @Model struct Word: Hashable {
    @PrimaryKey var id: Int32
    var text: String
  }
}
enum WiderPlain {
  @Model struct Word: Hashable {
    var text: String
    var count: Int?
    @PrimaryKey var id: Int64
  }
}
