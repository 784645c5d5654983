import Croft
import Foundation
import Synchronization
import Testing

private enum Seven: CellDefault { static var value: Int { 7 } }
private enum SevenOrNil: CellDefault { static var value: Int? { 7 } }
private enum OneAndAHalf: CellDefault { static var value: Double { 1.5 } }
private enum Word: CellDefault { static var value: String { "word" } }
/// A default that is another one each time it is evaluated.
private enum Counter: CellDefault {
  static let count = Mutex(0)
  static var value: Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// The field's former name.
enum Former {
  @Model struct Cell {
    @PrimaryKey var id: Int
    @Indexed var former: Int?
  }
}

@Suite(.keepsFailedStores) struct DefaultTests {
  private func open(_ temporary: TemporaryStore, _ model: any Model.Type) throws -> Store {
    try Store.open(at: temporary.url, models: model, options: .forTests)
  }

  @Test func anAddedFieldsDefaultIsEvaluatedOnceAndIsWhatOldRowsHold() throws {
    try withTemporaryStore(of: Bare.Cell.self) { temporary in
      try temporary.open().write { tx in
        for id in 0..<20 { try tx.insert(Bare.Cell(id: id)) }
      }
      var values: Set<Int> = []
      for _ in 0..<3 {
        let store = try open(temporary, DefaultCell<Counter>.self)
        values.formUnion(try store.fetch(DefaultCell<Counter>.all).map(\.value))
        let value = try #require(values.first)
        #expect(try store.count(DefaultCell<Counter>.where { $0.value == value }) == 20)
        #expect(try store.count(DefaultCell<Counter>.where { $0.value != value }) == 0)
        #expect(try store.verify().indexEntries == 20)
      }
      #expect(values.count == 1)
    }
  }

  @Test func anInsertGivesAHiddenFieldTheCatalogsDefault() throws {
    try withTemporaryStore(of: Bare.Cell.self) { temporary in
      _ = try open(temporary, DefaultCell<Word>.self)
      try temporary.open().write { try $0.insert(Bare.Cell(id: 1)) }
      let store = try open(temporary, DefaultCell<Word>.self)
      #expect(try store.fetch(DefaultCell<Word>.all).map(\.value) == ["word"])
      #expect(try store.count(DefaultCell<Word>.where { $0.value == "word" }) == 1)
    }
  }

  /// A default was widened as if it were a stored value, so that a nil Float was read as 0.
  @Test func aNilOfANarrowTypeIsReadAsTheWiderTypesDefault() throws {
    try withTemporaryStore(of: Cell<Float?>.self, checksAtEnd: false) { temporary in
      try temporary.open().write { tx in
        let cells: [Cell<Float?>] = [Cell(id: 1, value: 0.5), Cell(id: 2, value: nil)]
        try tx.insert(contentsOf: cells)
      }
      let store = try open(temporary, DefaultCell<OneAndAHalf>.self)
      #expect(try store.fetch(DefaultCell<OneAndAHalf>.all).map(\.value) == [0.5, 1.5])
    }
  }

  @Test func anOptionalBecomesRequiredWithADefaultAndBack() throws {
    try withTemporaryStore(of: Cell<Int?>.self) { temporary in
      try temporary.open().write { tx in
        try tx.insert(contentsOf: [Cell(id: 1, value: 3), Cell(id: 2, value: nil)])
      }
      do {
        let store = try open(temporary, DefaultCell<Seven>.self)
        #expect(try store.fetch(DefaultCell<Seven>.all).map(\.value) == [3, 7])
        #expect(try store.fetch(DefaultCell<Seven>.where { $0.value == 7 }).map(\.id) == [2])
        #expect(
          try store.fetch(DefaultCell<Seven>.all.order(by: \.value.descending)).map(\.id) == [2, 1])
        #expect(try store.verify().isSound)
      }
      // A nil is still nil for the model with the optional, because the row was not saved again.
      #expect(
        try temporary.open().fetch(Cell<Int?>.all)
          == [Cell(id: 1, value: 3), Cell(id: 2, value: nil)])
    }
  }

  @Test func aFieldIsRenamedWithItsValuesAndTheOlderProgramStillFindsIt() throws {
    try withTemporaryStore(of: Former.Cell.self) { temporary in
      try temporary.open().write { tx in
        for id in 0..<30 { try tx.insert(Former.Cell(id: id, former: id % 3)) }
      }
      do {
        let store = try open(temporary, DefaultCell<SevenOrNil>.self)
        #expect(
          try store.fetch(DefaultCell<SevenOrNil>.all).map(\.value) == (0..<30).map { $0 % 3 })
        #expect(try store.count(DefaultCell<SevenOrNil>.where { $0.value == 2 }) == 10)
        try store.write { _ = try $0.update(DefaultCell<SevenOrNil>.self, 4) { $0.value = 40 } }
      }
      let store = try temporary.open()
      #expect(try store.get(Former.Cell.self, 4)?.former == 40)
      try store.write { _ = try $0.update(Former.Cell.self, 5) { $0.former = 50 } }
      let newer = try open(temporary, DefaultCell<SevenOrNil>.self)
      #expect(try newer.get(DefaultCell<SevenOrNil>.self, 5)?.value == 50)
    }
  }

  @Test func reAddingANameThatWasHiddenShowsItsValuesAndARemovedOneIsGone() throws {
    try withTemporaryStore(of: Cell<String>.self) { temporary in
      try temporary.open().write { try $0.insert(Cell(id: 1, value: "kept")) }
      try open(temporary, Bare.Cell.self).write { _ = try $0.upsert(Bare.Cell(id: 1)) }
      #expect(try temporary.open().fetch(Cell<String>.all).map(\.value) == ["kept"])
      _ = try open(temporary, Cleared.Cell.self)
      let store = try open(temporary, DefaultCell<Word>.self)
      #expect(try store.fetch(DefaultCell<Word>.all).map(\.value) == ["word"])
    }
  }
}
