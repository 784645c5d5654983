import Croft
import Foundation
import Testing

// A model whose names change places, in every place where a property is known by its field.

enum Placed {
  @Embedded struct Spot: Hashable {
    var x: Int
    var y: Int
  }
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Indexed var a: String
    @Indexed(.unique) var b: String
    var spot: Spot
    var old: Spot?
    @Relation(onDelete: .cascade) var near: Ref<Item>?
    var far: Ref<Item>?
    #Index<Placed.Item>([\.b, \.a.descending])
  }
}
enum Exchanged {
  @Embedded struct Spot: Hashable {
    @Renamed(from: "y") var x: Int
    @Renamed(from: "x") var y: Int
  }
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "b") @Indexed(.unique) var a: String
    @Renamed(from: "a") @Indexed var b: String
    var spot: Spot
    @Renamed(from: "far") var near: Ref<Item>?
    @Renamed(from: "near") @Relation(onDelete: .cascade) var far: Ref<Item>?
    var note: String?
    #Index<Exchanged.Item>([\.a, \.b.descending])
  }
}
/// `b` was `a`, and `c` was `b`.
enum Chained {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "b") @Indexed(.unique) var c: String = "?"
    @Renamed(from: "a") @Indexed var b: String = "?"
  }
}
/// The old `b` is no longer declared.
enum Onto {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "a") var b: String
  }
}
/// `a` has another name, and something new has its old one.
enum Refilled {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "a") var first: String
    var a = "new"
    var b: String
  }
}
enum RefilledWithoutA {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "a") var first: String
    var b: String
    var c = 0
  }
}
/// The first name comes back.
enum Back {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "first") var a: String
    var b: String
    var first = "new"
  }
}
/// The key and a property change places.
enum OtherKey {
  @Model struct Item: Hashable {
    @Renamed(from: "b") @PrimaryKey var id: String
    @Renamed(from: "id") var b: Int
    var a: String
  }
}

@Suite(.keepsFailedStores) struct RenamedOntoTests {
  private static let items = (0..<60).map { id in
    Placed.Item(
      id: id, a: "a\(id % 7)", b: "b\(id)", spot: .init(x: id, y: -id),
      old: id % 2 == 0 ? nil : .init(x: 1, y: 2), near: id == 0 ? nil : Ref(id / 2),
      far: id == 0 ? nil : Ref(0))
  }

  private static func exchanged(_ item: Placed.Item) -> Exchanged.Item {
    Exchanged.Item(
      id: item.id, a: item.b, b: item.a, spot: .init(x: item.spot.y, y: item.spot.x),
      near: item.far.map { Ref($0.key) }, far: item.near.map { Ref($0.key) })
  }

  private func withItems(_ body: (TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(of: Placed.Item.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Self.items) }
      try body(temporary)
    }
  }

  private func open(
    _ temporary: TemporaryStore, _ model: any Model.Type, _ migrations: [Migration] = []
  ) throws -> Store {
    try Store.open(
      at: temporary.url, models: model, options: .forTests, migrations: migrations)
  }

  /// Two names that changed places were ignored in silence: each property kept its own name's
  /// values, so that all values had the wrong name.
  @Test func twoNamesThatChangePlacesCarryTheirValues() throws {
    try withItems { temporary in
      let twin = Self.items.map(Self.exchanged)
      for _ in 0..<2 {
        let store = try open(temporary, Exchanged.Item.self)
        #expect(try store.fetch(Exchanged.Item.all) == twin)
        #expect(try store.verify().problems == [])
        #expect(
          try store.fetch(Exchanged.Item.where { $0.b == "a3" }) == twin.filter { $0.b == "a3" })
        #expect(try store.explain(Exchanged.Item.where { $0.a == "b3" }).access == .indexEquality)
        #expect(throws: StoreError.self) {
          try store.write { _ = try $0.update(Exchanged.Item.self, 3) { $0.a = "b4" } }
        }
      }
      try open(temporary, Exchanged.Item.self)
        .write { _ = try $0.delete(Exchanged.Item.self, 1) }
      // The rule went along with its reference: all but the first were near it.
      #expect(try open(temporary, Exchanged.Item.self).fetch(Exchanged.Item.all).map(\.id) == [0])
    }
  }

  @Test func anOlderProgramMeetsItsOwnValuesAfterNamesHaveChangedPlaces() throws {
    try withItems { temporary in
      let old = try temporary.open()
      let new = try open(temporary, Exchanged.Item.self)
      var twin = Self.items
      for round in 0..<3 {
        #expect(try old.fetch(Placed.Item.all) == twin)
        #expect(try new.fetch(Exchanged.Item.all).map(\.b) == twin.map(\.a))
        try old.write { tx in
          try tx.update(Placed.Item.self, round) { $0.a = "by the old one \(round)" }
          try tx.update(Placed.Item.self, round) { $0.spot.x = 100 }
        }
        _ = try new.write { tx in
          try tx.update(Exchanged.Item.self, round + 10) { $0.b = "by the new one \(round)" }
        }
        twin[round].a = "by the old one \(round)"
        twin[round].spot.x = 100
        twin[round + 10].a = "by the new one \(round)"
        #expect(try old.verify().problems == [])
        #expect(
          try old.fetch(Placed.Item.where { $0.a == "by the new one \(round)" }).map(\.id)
            == [round + 10])
      }
      // Both again, as programs that start again.
      #expect(try temporary.open().fetch(Placed.Item.all) == twin)
      #expect(
        try open(temporary, Exchanged.Item.self).fetch(Exchanged.Item.all).map(\.b)
          == twin.map(\.a))
    }
  }

  @Test func namesThatMoveOnInAChainCarryTheirValues() throws {
    try withItems { temporary in
      let store = try open(temporary, Chained.Item.self)
      let twin = Self.items.map { Chained.Item(id: $0.id, c: $0.b, b: $0.a) }
      #expect(try store.fetch(Chained.Item.all) == twin)
      #expect(try store.fetch(Chained.Item.where { $0.b == "a3" }) == twin.filter { $0.b == "a3" })
      #expect(try store.verify().problems == [])
      #expect(try temporary.open().fetch(Placed.Item.all) == Self.items)
    }
  }

  /// `@Renamed(from: "a") var b` over a store with both opened, and `b` had the old `b`'s values.
  @Test func aRenameToTheNameOfAFieldThatNobodyDeclaresIsRefusedUntilThatOneIsDropped() throws {
    try withItems { temporary in
      let before = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown { _ = try open(temporary, Onto.Item.self) }
      guard case .schemaMismatch("Item", "b", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      for words in ["it was a,", "[.drop(\"b\", of: Item.self)]", "@Renamed(from: \"b\")"] {
        #expect(reason.contains(words), "\(reason)")
      }
      #expect(try Data(contentsOf: temporary.url) == before)
      let store = try open(temporary, Onto.Item.self, [.drop("b", of: Onto.Item.self)])
      #expect(try store.fetch(Onto.Item.all).map(\.b) == Self.items.map(\.a))
      #expect(try store.verify().problems == [])
      #expect(
        try open(temporary, Onto.Item.self).fetch(Onto.Item.all).map(\.b) == Self.items.map(\.a))
    }
  }

  @Test func aRenameWithoutObjectsIsRefusedByNobody() throws {
    try withTemporaryStore(of: Placed.Item.self, checksAtEnd: false) { temporary in
      _ = try temporary.open()
      let store = try open(temporary, Onto.Item.self)
      #expect(try store.count(Onto.Item.all) == 0)
      #expect(try open(temporary, Onto.Item.self).verify().problems == [])
    }
  }

  @Test func aNewPropertyUnderARenamedOnesNameIsNew() throws {
    try withItems { temporary in
      let store = try open(temporary, Refilled.Item.self)
      let twin = Self.items.map { Refilled.Item(id: $0.id, first: $0.a, b: $0.b) }
      #expect(try store.fetch(Refilled.Item.all) == twin)
      try store.write { _ = try $0.update(Refilled.Item.self, 1) { $0.a = "changed" } }
      // The rename is done: a later version without the new one does not take it for the old.
      let later = try open(temporary, RefilledWithoutA.Item.self)
      #expect(try later.fetch(RefilledWithoutA.Item.all).map(\.first) == Self.items.map(\.a))
      #expect(try temporary.open().fetch(Placed.Item.all) == Self.items)
      #expect(try store.get(Refilled.Item.self, 1)?.a == "changed")
      #expect(try store.verify().problems == [])
    }
  }

  @Test func aStoreThatWasMadeUnderTheNewNamesKnowsTheOldOnes() throws {
    try withTemporaryStore(of: Placed.Item.self, checksAtEnd: false) { temporary in
      let store = try open(temporary, Refilled.Item.self)
      try store.write { try $0.insert(Refilled.Item(id: 1, first: "f", a: "a", b: "b")) }
      let later = try open(temporary, RefilledWithoutA.Item.self)
      #expect(try later.fetch(RefilledWithoutA.Item.all).map(\.first) == ["f"])
    }
  }

  @Test func aNameThatComesBackHasItsValuesAndFreesTheOther() throws {
    try withItems { temporary in
      _ = try open(temporary, RefilledWithoutA.Item.self)
      let store = try open(temporary, Back.Item.self)
      #expect(
        try store.fetch(Back.Item.all) == Self.items.map { Back.Item(id: $0.id, a: $0.a, b: $0.b) })
      #expect(
        try open(temporary, RefilledWithoutA.Item.self).fetch(RefilledWithoutA.Item.all)
          .map(\.first) == Self.items.map(\.a))
      #expect(try temporary.open().fetch(Placed.Item.all) == Self.items)
    }
  }

  @Test func aKeyThatChangesPlacesNeedsAMigrationAndCarriesItsValues() throws {
    try withItems { temporary in
      guard
        case .schemaMismatch("Item", "id", _) = StoreError.thrown(by: {
          _ = try open(temporary, OtherKey.Item.self)
        })
      else {
        Issue.record("it was opened")
        return
      }
      // References hold the former keys.
      _ = try temporary.open().write { tx in
        try tx.update(Placed.Item.all) { ($0.near, $0.far) = (nil, nil) }
      }
      let store = try open(
        temporary, OtherKey.Item.self, [.convert(\OtherKey.Item.id) { _, _ in }])
      #expect(
        try store.fetch(OtherKey.Item.all)
          == Self.items.map { OtherKey.Item(id: $0.b, b: $0.id, a: $0.a) }.sorted { $0.id < $1.id })
      #expect(try store.verify().problems == [])
    }
  }
}

// Models that change names.

enum PlainNames {
  @Model struct Red: Hashable {
    @PrimaryKey var id: Int
    var text: String
  }
  @Model struct Blue: Hashable {
    @PrimaryKey var id: Int
    var text: String
    var red: Ref<Red>?
  }
}
enum OtherNames {
  @Renamed(from: "Blue")
  @Model struct Red: Hashable {
    @PrimaryKey var id: Int
    var text: String
    var red: Ref<Blue>?
  }
  @Renamed(from: "Red")
  @Model struct Blue: Hashable {
    @PrimaryKey var id: Int
    var text: String
  }
}
/// `Red` is called otherwise, and another model has its name.
enum NewRed {
  @Renamed(from: "Red")
  @Model struct Crimson: Hashable {
    @PrimaryKey var id: Int
    var text: String
  }
  @Model struct Red: Hashable {
    @PrimaryKey var id: Int
    var text: String
  }
}

@Suite(.keepsFailedStores) struct StoreRenamedModelTests {
  private let reds = (0..<5).map { PlainNames.Red(id: $0, text: "red \($0)") }
  private let blues = (0..<9).map { PlainNames.Blue(id: $0, text: "blue \($0)", red: Ref($0 / 2)) }

  private func withModels(_ body: (TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(of: PlainNames.Red.self, PlainNames.Blue.self, checksAtEnd: false) {
      temporary in
      try temporary.open().write { tx in
        try tx.insert(contentsOf: reds)
        try tx.insert(contentsOf: blues)
      }
      try body(temporary)
    }
  }

  @Test func twoModelsThatChangeNamesKeepTheirObjects() throws {
    try withModels { temporary in
      for _ in 0..<2 {
        let new = try Store.open(
          at: temporary.url, models: [OtherNames.Red.self, OtherNames.Blue.self],
          options: .forTests)
        #expect(try new.fetch(OtherNames.Red.all).map(\.text) == blues.map(\.text))
        #expect(try new.fetch(OtherNames.Blue.all).map(\.text) == reds.map(\.text))
        #expect(try new.verify().problems == [])
        let old = try temporary.open()
        #expect(try old.fetch(PlainNames.Red.all) == reds)
        #expect(try old.fetch(PlainNames.Blue.all) == blues)
      }
    }
  }

  @Test func aRenameToTheNameOfAModelThatIsNotDeclaredIsRefused() throws {
    try withModels { temporary in
      guard
        case .schemaMismatch("Blue", nil, let reason) = StoreError.thrown(by: {
          _ = try Store.open(at: temporary.url, models: OtherNames.Blue.self, options: .forTests)
        })
      else {
        Issue.record("it was opened")
        return
      }
      #expect(reason.contains("it was Red, and the store has a model Blue beside that"))
    }
  }

  @Test func aRenamedModelAndANewOneOfItsNameAreTwo() throws {
    try withTemporaryStore(of: NewRed.Crimson.self, NewRed.Red.self) { temporary in
      try Store.open(at: temporary.url, models: PlainNames.Red.self, options: .forTests)
        .write { try $0.insert(contentsOf: reds) }
      for round in 0..<2 {
        let store = try temporary.open()
        #expect(try store.fetch(NewRed.Crimson.all).map(\.text) == reds.map(\.text))
        #expect(try store.count(NewRed.Red.all) == round)
        try store.write { try $0.insert(NewRed.Red(id: round, text: "new")) }
      }
    }
  }
}
